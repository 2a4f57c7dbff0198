import { parseCertificate, signCertificate } from '@rubrica/pki';
import { loadKeyring } from '@rubrica/process/keyring';
import { systemClock } from '@rubrica/process/time';
import { openIssuers } from '../../src/issuers/open-issuers.ts';
import type { Generation } from './generation.ts';
import { writeMacs } from './status-macs.ts';

const toUtcTime = (date: Date) => `${date.toISOString().slice(2, 19).replaceAll(/[-T:]/g, '')}Z`;

/** Gives a certificate another end, which its authority signs. */
export async function endCertificate(env: Generation, id: string, end: Date): Promise<void> {
  const { ground, authorityDirectory: directory, database } = env;
  const files = { keysFile: ground.keys.keysFile.generation, peersFile: ground.keys.peersFile };
  const keyring = await loadKeyring(files, 'generation');
  const issuers = await openIssuers({ authority: { directory, token: {} } }, keyring, systemClock);
  const { identity, sign } = issuers.active;
  const [row] = await database.query<{ der: Buffer }>(
    'select der from generation.certificate where id = $1',
    [id],
  );
  const parsed = parseCertificate(row?.der ?? Buffer.alloc(0));
  if (!parsed.ok) throw new Error(parsed.error.reason);
  const { tbs, notAfter } = parsed.value;
  const [was, is] = [toUtcTime(notAfter.date), toUtcTime(end)];
  const changed = Buffer.from(Buffer.from(tbs).toString('latin1').replace(was, is), 'latin1');
  const der = Buffer.from(await signCertificate(changed, identity.signatureAlgorithm, sign));
  const notAfterStored = new Date(Math.floor(end.getTime() / 1_000) * 1_000);
  await database.query('update generation.certificate set der = $2, not_after = $3 where id = $1', [
    ...[id, der, notAfterStored],
  ]);
  await writeMacs(env, `id = '${id}'`);
}
