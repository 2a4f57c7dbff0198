import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { scratchDirectory } from '@rubrica/testkit';
import { expect, test } from 'vitest';
import { operator } from './support/fake-state.ts';
import { testGateway } from './support/gateway.ts';

const run = promisify(execFile);
const install = join(import.meta.dirname, '../../../packages/operators-client/scripts/install-packed.ts');

/** A dashboard of a developer who has the package and the address of a gateway. */
const program = `
import { createOperatorsClient, faultOf, operatorProcedures } from '@rubrica/operators-client';

const [, , url, email, password] = process.argv;
const { procedures, signIn } = createOperatorsClient({ url });
const refused = (call) => call.then(() => 'answered', (error) => faultOf(error).data.appCode);
const before = await refused(procedures.overview.query());
const { role } = await signIn({ email, password });
const { registeredLastDay } = await procedures.overview.query();
const faulty = await refused(procedures.requests.search.query({ status: 'DONE' }));
const needed = operatorProcedures['partners.create'].role;
process.stdout.write(JSON.stringify({ before, role, registeredLastDay, faulty, needed }));
`;

test('the packed client, installed in an empty folder, signs in and calls this gateway', async () => {
  await using gateway = await testGateway();
  await using folder = await scratchDirectory('operators-client');
  await run(process.execPath, [install, folder.path]);
  await writeFile(join(folder.path, 'program.js'), program);
  const args = [`${gateway.url}/trpc`, operator.email, operator.password];
  const { stdout } = await run(process.execPath, ['program.js', ...args], { cwd: folder.path });
  expect(JSON.parse(stdout)).toEqual({
    before: 'UNAUTHENTICATED',
    role: 'admin',
    registeredLastDay: 7,
    faulty: 'FIELD_INVALID',
    needed: 'admin',
  });
});
