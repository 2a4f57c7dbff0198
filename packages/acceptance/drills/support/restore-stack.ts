import { randomBytes } from 'node:crypto';
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Stack, startStack } from '@rubrica/stack';
import { binDirectory } from '@rubrica/testkit';
import { busAuthorization, locateNatsServer, startNats } from '@rubrica/testkit/nats';
import { freePort } from '@rubrica/testkit/processes';
import { type PostgresBackup, restoreTo, withSuperuser } from './postgres-backup.ts';
import { say } from './say.ts';
import { restoreStream, type StreamCopy, withNats } from './stream-copy.ts';

export interface RestoreFrom {
  readonly folder: string;
  readonly postgres: PostgresBackup;
  /** Undefined if evidence is stored in S3. */
  readonly evidence?: StreamCopy;
  readonly at: Date;
  readonly env?: Readonly<Record<string, string>>;
}

/** Copies keys, passwords and the authority's folder, which a backup stores separately from the databases. */
export async function keepSecrets(from: string, to: string): Promise<void> {
  await mkdir(join(to, 'state'), { recursive: true, mode: 0o700 });
  await cp(join(from, 'ca'), join(to, 'ca'), { recursive: true });
  await cp(join(from, 'state', 'keys'), join(to, 'state', 'keys'), { recursive: true });
  const settings = JSON.parse(await readFile(join(from, 'state', 'settings.json'), 'utf8'));
  // The name of the data folder differs here.
  const renamed = { ...settings, id: randomBytes(8).toString('hex') };
  await writeFile(join(to, 'state', 'settings.json'), JSON.stringify(renamed), { mode: 0o600 });
}

/** Destroys a stack. It kills the servers first, with SIGKILL, so that no service can save anything. */
export async function destroy(stack: Stack): Promise<void> {
  const { rows } = await withSuperuser(stack.info().databaseUrl, (client) =>
    client.query('show data_directory'),
  );
  await stack.postgres.kill();
  await stack.nats?.kill();
  await stack.stop();
  await rm(rows[0].data_directory, { recursive: true, force: true });
  await rm(stack.home, { recursive: true, force: true });
}

/**
 * Restores a backup into another home.
 * @param from.env of the services that start on the restored data
 */
export async function restoreElsewhere(home: string, from: RestoreFrom): Promise<Stack> {
  const { folder, postgres: backup, evidence, at, env = {} } = from;
  const settings = JSON.parse(await readFile(join(home, 'state', 'settings.json'), 'utf8'));
  const dataDirectory =
    process.getuid?.() === 0
      ? join('/var/lib/rubrica/stacks', settings.id, 'data')
      : join(home, 'postgres', 'data');
  await mkdir(dirname(dataDirectory), { recursive: true });
  await restoreTo(dataDirectory, { folder, backup, at });
  if (evidence !== undefined) await restoreBucket(home, settings.nats, evidence);
  return await startStack({ home, port: await freePort(), env });
}

async function restoreBucket(
  home: string,
  { operator, ...passwords }: Readonly<Record<string, string>> & { readonly operator: string },
  evidence: StreamCopy,
): Promise<void> {
  const nats = await startNats({
    directory: join(home, 'nats'),
    binary: await locateNatsServer({ binDirectory }),
    logFile: join(home, 'nats-restore.log'),
    extraConfig: await busAuthorization({ passwords, observers: { operator } }),
  });
  try {
    const url = nats.url.replace('nats://', `nats://operator:${operator}@`);
    const messages = await withNats(url, (bus) => restoreStream(bus, evidence));
    say(`evidence bucket restored: ${messages} chunks`);
  } finally {
    await nats.stop();
  }
}
