import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { builtServices } from '@rubrica/build';
import { parseCrl } from '@rubrica/pki';
import type { Stack } from '@rubrica/stack';
import { ownerRole } from '@rubrica/testkit/postgres';
import { until } from '../../e2e/support/poll.ts';

const run = promisify(execFile);

/**
 * Revokes certificates that the stack's database does not contain, with generation's command and the owner's rights.
 * @returns its output
 */
export async function revokeForgotten(stack: Stack, serials: readonly string[]): Promise<string> {
  const { generation } = await builtServices();
  const settings = JSON.parse(await readFile(join(stack.home, 'state', 'settings.json'), 'utf8'));
  const url = new URL(stack.info().databaseUrl);
  url.username = ownerRole('generation');
  url.password = settings.database.generation.ownerPassword;
  const command = [join(generation, 'main.mjs'), 'revoke-forgotten', '--comment', 'restored'];
  const { stdout } = await run(process.execPath, [...command, ...serials], {
    env: { ...process.env, DATABASE_OWNER_URL: url.href, CA_DIRECTORY: join(stack.home, 'ca') },
    timeout: 120_000,
  });
  return stdout;
}

/** Waits until the published list names all of them as superseded. */
export async function untilListed(stack: Stack, serials: readonly string[]): Promise<void> {
  await until('the revocation list that names them', async () => {
    const answer = await fetch(stack.info().pki.crl);
    const list = parseCrl(new Uint8Array(await answer.arrayBuffer()));
    if (!list.ok) throw new Error(list.error.reason);
    const { find } = list.value;
    return serials.every((serial) => find(serial)?.reason === 'superseded') || undefined;
  });
}
