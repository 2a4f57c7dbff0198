import { X509Certificate } from 'node:crypto';
import { disposeAfterAll } from '@rubrica/testkit';
import { expect, it } from 'vitest';
import { readAuthorityFile } from '../src/issuers/authorities/authority-file.ts';
import { ca } from './support/ca.ts';
import { generation } from './support/generation.ts';

const env = await disposeAfterAll(generation());

const told = () =>
  env.database.query<{ action: string; actor: string; detail: { revision: number } }>(
    `select action, actor, detail from generation.audit_entry where detail ->> 'target' = 'authorities'
     order by sequence`,
  );

const authorities = async () => (await readAuthorityFile(env.authorityDirectory))?.authorities ?? [];
const serialOf = (certificate = '') => new X509Certificate(Buffer.from(certificate, 'base64')).serialNumber;

it('tells once that provisioning made the authorities, with their serial numbers', async () => {
  await env.provision();
  const [root, issuing] = await authorities();
  expect(await told()).toEqual([
    {
      action: 'authorities.init',
      actor: 'service:generation-provision',
      detail: {
        target: 'authorities',
        revision: 1,
        made: [
          { name: 'root', serial: serialOf(root?.certificate) },
          { name: 'issuing', serial: serialOf(issuing?.certificate) },
          { name: 'issuing-ocsp', serial: serialOf(issuing?.responder?.certificate) },
        ],
      },
    },
  ]);
});

it('tells what a ceremony made, and nothing of one that changed nothing', async () => {
  const settings = { ...env.env, CA_KEY_ALGORITHM: 'RSA_2048' };
  expect(await ca(settings, 'rotate')).toMatchObject({ code: 0 });
  expect((await ca(settings, 'rotate')).code).toBe(1);
  expect((await ca(env.env, 'renew')).code).toBe(0);
  const [, , next] = await authorities();
  const [, ...ceremonies] = await told();
  expect(ceremonies).toEqual([
    {
      action: 'authorities.rotate',
      actor: 'ceremony',
      detail: {
        target: 'authorities',
        revision: 2,
        made: [
          { name: 'issuing-2', serial: serialOf(next?.certificate) },
          { name: 'issuing-2-ocsp', serial: serialOf(next?.responder?.certificate) },
        ],
      },
    },
  ]);
});

it('does nothing where the log that is named is out of reach, and says where none is', async () => {
  const CA_DIRECTORY = `${env.authorityDirectory}-other`;
  const away = { ...env.env, CA_DIRECTORY, DATABASE_URL: 'postgres://nobody:none@127.0.0.1:1/none' };
  expect(await ca(away, 'init')).toMatchObject({
    code: 1,
    said: expect.stringContaining('The audit log is out of reach, nothing was changed'),
  });
  expect(await readAuthorityFile(CA_DIRECTORY)).toBeUndefined();
  const { DATABASE_URL: _, ...without } = away;
  expect(await ca(without, 'init')).toMatchObject({
    code: 0,
    said: expect.stringContaining('the audit log will not tell of this'),
  });
  expect(await told()).toHaveLength(2);
});
