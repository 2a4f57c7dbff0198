import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { termsTypeSchema } from '@rubrica/contracts/shared/terms';
import { generateServiceKeys } from '@rubrica/process/keyring';
import { uuidv7 } from '@rubrica/process/time';
import { disposeAfterAll, runDoctor } from '@rubrica/testkit';
import { expect, it } from 'vitest';
import { runningTerms } from './support/running-terms.ts';

const main = new URL('../src/main.ts', import.meta.url);
const terms = await disposeAfterAll(runningTerms());

const look = (env: Readonly<Record<string, string>> = {}) => {
  // Where tests run through a pooler there is a line more.
  const { DATABASE_DIRECT_URL: direct, ...own } = terms.ground.env;
  return runDoctor(main, { ...own, ...(direct !== undefined && { DATABASE_URL: direct }), ...env });
};
const database = ['database', 'clock', 'rights', 'migrations', 'terms', 'role', 'connections', 'server load'];
const bus = ['bus', 'bus rights'];
const names = ['settings', ...database, ...bus, 'keys'];
/** All well but this one, and what comes after it in its group. */
const faultOf = (faulty: string) => {
  const group = [database, bus].find((one) => one.includes(faulty)) ?? [];
  const hidden = group.slice(group.indexOf(faulty) + 1);
  return names.map((name) => {
    if (name === faulty) return `fault ${name}`;
    return `${hidden.includes(name) ? '-' : 'ok'} ${name}`;
  });
};

it('says who writes the terms where there are none, and is content once there are', async () => {
  const before = await look();
  expect(before.verdicts).toEqual(faultOf('terms'));
  expect(before.code).toBe(1);
  const rows = termsTypeSchema.options.map((type) => ({
    id: uuidv7(),
    type,
    version: '1.0',
    content: 'TÉRMINOS Y CONDICIONES',
    active: true,
  }));
  await terms.provision({ terms: rows.slice(0, 1), partners: [], operators: [] });
  const some = await look();
  expect(some.verdicts).toEqual(names.map((name) => `ok ${name}`));
  expect(some.text).toContain(
    `none for ${termsTypeSchema.options.slice(1).join(', ')}: nobody can claim these`,
  );
  await terms.provision({ terms: rows, partners: [], operators: [] });
  const after = await look();
  expect(after.text).not.toMatch(/^(fault|-) |none for/m);
  expect(after.verdicts).toEqual(names.map((name) => `ok ${name}`));
  expect(after.code).toBe(0);
});

it('names a database that does not answer', async () => {
  const found = await look({ DATABASE_URL: 'postgres://rubrica_terms:secret@127.0.0.1:1/rubrica' });
  expect(found.verdicts).toEqual(faultOf('database'));
  expect(found.text).toContain('Look at DATABASE_URL');
  expect(found.text).not.toContain('secret');
  expect(found.code).toBe(1);
});

it('names the migration that has not run', async () => {
  const { query } = terms.database;
  const [newest] = await query<{ name: string }>(
    `delete from terms.migrations where name = (select max(name) from terms.migrations) returning name`,
  );
  const found = await look();
  await query('insert into terms.migrations (name) values ($1)', [newest?.name]);
  expect(found.verdicts).toEqual(faultOf('migrations'));
  expect(found.text).toContain(`${newest?.name} has not run. Run provisioning`);
  expect(found.code).toBe(1);
});

it('names the bus that refuses a password', async () => {
  const found = await look({ NATS_PASSWORD: 'another-one' });
  expect(found.verdicts).toEqual(faultOf('bus'));
  expect(found.text).toMatch(/authorization violation.*NATS_PASSWORD/i);
  expect(found.text).not.toContain('another-one');
  expect(found.code).toBe(1);
});

it('names what the bus does not let this user do', async () => {
  const found = await look({ NATS_USER: 'notifier', NATS_PASSWORD: 'notifier-password' });
  expect(found.verdicts).toEqual(faultOf('bus rights'));
  expect(found.text).toContain('_INBOX_terms.doctor is refused');
});

it('names keys of another set than the public ones', async () => {
  const { folder } = terms.ground;
  const other = join(folder, 'other.keys.json');
  await writeFile(other, JSON.stringify(generateServiceKeys('terms').privateJwks));
  const found = await look({ KEYS_FILE: other });
  expect(found.verdicts).toEqual(faultOf('keys'));
  expect(found.text).toContain('has not its public half there');
  expect(found.code).toBe(1);
});

it('names every setting that cannot be used, and one with a slip in its name', async () => {
  const none = await look({ DATABASE_URL: '', NATS_URL: '' });
  expect(none.verdicts.slice(0, 2)).toEqual(['fault settings', 'fault settings']);
  const slip = await look({ LOG_LEVLE: 'info' });
  expect(slip.verdicts).toEqual(faultOf('settings'));
  expect(slip.text).toContain('did you mean LOG_LEVEL?');
  expect(slip.code).toBe(1);
});
