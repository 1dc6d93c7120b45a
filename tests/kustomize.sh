#!/bin/sh
# The tests of the Kubernetes manifests render them with Kustomize, by itself or in kubectl.
command -v kustomize >/dev/null && exit 0
kubectl version --client 2>/dev/null | grep -q "Kustomize Version: v5" && exit 0
tools=$PWD/.venv/kustomize
[ -x "$tools/kustomize" ] && exit 0
if command -v go >/dev/null; then
  echo "Building kustomize for the tests of the Kubernetes manifests."
  GOBIN="$tools" go install sigs.k8s.io/kustomize/kustomize/v5@v5.8.3 && exit 0
fi
echo "There is no kustomize: the tests of the Kubernetes manifests are skipped. Install kubectl 1.27 or newer."
