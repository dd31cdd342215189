# syntax=docker/dockerfile:1
# One image for the API, the worker and the migration; compose says which command each runs.
ARG NODE_IMAGE=node:24-bookworm-slim

FROM ${NODE_IMAGE} AS build
WORKDIR /app
COPY package.json package-lock.json ./
COPY tools/package.json ./tools/
RUN npm ci --ignore-scripts --workspaces=false
COPY . .
RUN npm run build

FROM ${NODE_IMAGE}
WORKDIR /app
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 METRICS_PORT=0.0.0.0:9464
# With the packages that cannot be bundled: it needs no others.
COPY --from=build /app/dist ./dist
COPY package.json LICENSE ./
USER node
EXPOSE 3000
CMD ["node", "dist/api/main.js"]
