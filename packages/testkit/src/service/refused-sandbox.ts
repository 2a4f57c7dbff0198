import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { ServiceName } from '@rubrica/contracts/shared/enumerations';
import { testGround } from './test-ground.ts';

const run = promisify(execFile);

export interface RefusedStart {
  readonly code: number;
  readonly text: string;
}

/**
 * Provisions a service as production, then starts it, and provisions it again, with SANDBOX=true.
 * @returns the result of both
 */
export async function tryAsSandbox(
  name: ServiceName,
  sources: URL,
  settings: Readonly<Record<string, string>> = {},
): Promise<{ readonly service: RefusedStart; readonly provisioning: RefusedStart }> {
  await using ground = await testGround(name);
  const main = new URL('main.ts', sources);
  await ground.provision(main, { env: { SANDBOX: 'false' } });
  const env = { ...ground.env, ...settings, LOG_LEVEL: 'info' };
  const again = ground.provision(main, { env: { LOG_LEVEL: 'info' } });
  return {
    provisioning: await awaitFailure(again),
    service: await awaitFailure(run(process.execPath, [fileURLToPath(main)], { env, timeout: 120_000 })),
  };
}

async function awaitFailure(work: Promise<unknown>): Promise<RefusedStart> {
  const ended = await work.then(
    () => ({ code: 0, stdout: '', stderr: '' }),
    (error: { code: number; stdout: string; stderr: string }) => error,
  );
  return { code: ended.code, text: `${ended.stdout}${ended.stderr}` };
}
