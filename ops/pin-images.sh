#!/bin/sh
# Asks the registries for the digest of each image that docker-compose.yml and the Dockerfile name, and writes it behind the
# tag. Run it again, and look at the difference, to take a newer image of the same tag. Needs docker with buildx.
set -eu
cd "${1:-$(dirname "$0")/..}"
files="docker-compose.yml Dockerfile"
images=$(sed -nE 's/^( *image: |ARG NODE_IMAGE=)([a-z][a-z0-9./_-]*:[A-Za-z0-9._-]+)(@sha256:[0-9a-f]+)?$/\2/p' $files | sort -u)
for image in $images; do
  digest=$(docker buildx imagetools inspect "$image" --format '{{.Manifest.Digest}}')
  case $digest in sha256:*) ;; *) echo "$image has no digest: $digest" >&2 && exit 1 ;; esac
  sed -i -E "s|^( *image: \|ARG NODE_IMAGE=)$image(@sha256:[0-9a-f]+)?\$|\1$image@$digest|" $files
  echo "$image@$digest"
done
