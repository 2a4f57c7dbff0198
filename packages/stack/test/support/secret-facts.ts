import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parseAllDocuments } from 'yaml';
import { deployFolder } from './compose.ts';
import type { KubeObject } from './rendered.ts';

const run = promisify(execFile);

/** What `deploy/kubernetes/secrets.sh` makes of a folder with secrets: values by Secret and key. */
export async function madeSecrets(
  deploy: string,
  parts: readonly string[],
): Promise<Record<string, Record<string, string>>> {
  const { stdout } = await run('bash', [join(deployFolder, 'kubernetes', 'secrets.sh'), ...parts], {
    env: { ...process.env, DEPLOY: deploy },
    maxBuffer: 1 << 24,
  });
  const objects = parseAllDocuments(stdout).map((one) => one.toJS() as KubeObject);
  return Object.fromEntries(
    objects.map(({ metadata, data = {} }) => [
      metadata.name,
      Object.fromEntries(
        Object.entries(data).map(([key, value]) => [key, Buffer.from(value, 'base64').toString('utf8')]),
      ),
    ]),
  );
}

/** Secrets that a workload cannot start without; `key` where it needs one by name. */
export function secretsOf({ spec }: KubeObject): { readonly secret: string; readonly key?: string }[] {
  const pod = spec?.template?.spec;
  const containers = [...(pod?.containers ?? []), ...(pod?.initContainers ?? [])];
  const single = containers
    .flatMap(({ env = [] }) => env.map(({ valueFrom }) => valueFrom?.secretKeyRef))
    .filter((one) => one !== undefined && one.optional !== true)
    .map((one) => ({ secret: one?.name ?? '', key: one?.key ?? '' }));
  const whole = (pod?.volumes ?? []).flatMap(({ secret }) =>
    secret === undefined ? [] : [{ secret: secret.secretName }],
  );
  return [...single, ...whole];
}
