# syntax=docker/dockerfile:1

# The program is one bundle; what it needs beside it are the two database drivers of the embedded service.
FROM node:24-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY scripts ./scripts
RUN npm ci --ignore-scripts
COPY . .
RUN npm run build && rm dist/.built && npm prune --omit=dev --ignore-scripts

FROM node:24-slim
# `container`: no browser outside can open pages at 127.0.0.1 in here.
ENV NODE_ENV=production container=docker
WORKDIR /app
COPY --from=build --chown=root:root /app/package.json ./
COPY --from=build --chown=root:root /app/node_modules ./node_modules
COPY --from=build --chown=root:root /app/dist ./dist
COPY --from=build --chown=root:root /app/skills ./skills
# Nothing here belongs to the user that runs it, and nothing is written: start it with a read-only root file system.
USER node
EXPOSE 3000
# A stop waits 20 s for running calls; give the container longer than that.
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=10s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:3000/healthz').then(r => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "dist/main.js"]
CMD ["--http", "--host", "0.0.0.0", "--port", "3000"]
