# Starts S3Proxy in a container. At the first start it makes a bucket, which is a folder, and a key.
set -eu
umask 077
key=/run/object-store/secret_key
if [ ! -s "$key" ]; then
  python -c 'import secrets; print(secrets.token_urlsafe(30), end="")' > "$key.new"
  mv "$key.new" "$key"
fi
mkdir -p /var/lib/object-store/nest
cat > /tmp/s3proxy.conf << END
s3proxy.endpoint=http://0.0.0.0:9000
s3proxy.authorization=aws-v2-or-v4
s3proxy.identity=nest
s3proxy.credential=$(cat "$key")
jclouds.provider=filesystem-nio2
jclouds.filesystem.basedir=/var/lib/object-store
END
exec java -Xmx96m -XX:MaxDirectMemorySize=64m -XX:+UseSerialGC \
  -Dlogback.configurationFile=/app/s3proxy_logging.xml -cp '/opt/nest/jars/s3proxy/*' \
  org.gaul.s3proxy.Main --properties /tmp/s3proxy.conf
