import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { runningTerms } from './support/running-terms.ts';

const program = fileURLToPath(new URL('../src/main.ts', import.meta.url));

function databaseOf({ DATABASE_URL, DATABASE_DIRECT_URL }: Readonly<Record<string, string>>) {
  return { DATABASE_URL, ...(DATABASE_DIRECT_URL && { DATABASE_DIRECT_URL }) };
}

it('a copy that is there before the provisioning of its release waits, says for what, and then goes on', async () => {
  await using terms = await runningTerms();
  const { env, service } = terms.ground;
  const [newest] = await service.database.query<{ name: string }>(
    `delete from terms.migrations where name = (select max(name) from terms.migrations) returning name`,
  );
  // Nothing but what the running service reads its database with.
  using child = spawn(process.execPath, [program, 'await-provisioned'], {
    env: databaseOf(env),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const said: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => said.push(chunk));
  const ended = once(child, 'exit');
  const text = () => Buffer.concat(said).toString('utf8');
  await expect.poll(text).toContain(`migrations have not run: ${newest?.name}`);
  expect(child.exitCode).toBeNull();
  await service.database.query('insert into terms.migrations (name) values ($1)', [newest?.name]);
  expect(await ended).toEqual([0, null]);
  expect(text()).toContain('schema up to date');
});

it('waits too where there is no schema, and no database that answers', async () => {
  await using terms = await runningTerms();
  for (const url of [`${terms.ground.env.DATABASE_URL}-none`, 'postgres://terms:x@127.0.0.1:1/none']) {
    using child = spawn(process.execPath, [program, 'await-provisioned'], {
      env: { ...databaseOf(terms.ground.env), DATABASE_URL: url },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [line] = await once(child.stdout, 'data');
    expect(String(line)).toContain('waiting for the provisioning of this release');
    expect(child.exitCode).toBeNull();
  }
});
