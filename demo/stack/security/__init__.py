"""What a secured Kafka needs: certificates, users with passwords, and their rights."""
