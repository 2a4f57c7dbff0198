import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { operatorProcedures } from '@rubrica/contracts/operators/procedures';
import { disposeAfterAll } from '@rubrica/testkit';
import { expect, it } from 'vitest';
import { invitedAdministrator } from './support/invited-administrator.ts';
import { operatorActor } from './support/operator-actor.ts';
import { joinScene } from './support/scene.ts';
import { projectRoot, runProgram } from './support/shell.ts';
import { shownCode } from './support/shown-code.ts';

const scene = await disposeAfterAll(joinScene());

/** What each call came to: its answer, or the code of its refusal. */
type Outcomes = Readonly<
  Record<string, { readonly answer?: { readonly approvalId?: string }; readonly code?: string }>
>;

/** Below the project, where the package is found as where it is installed. */
async function run(program: string): Promise<Outcomes> {
  const folder = await mkdtemp(join(projectRoot, '.rubrica-docs-'));
  try {
    const path = join(folder, 'program.ts');
    await writeFile(path, program);
    const { code, stdout, stderr } = await runProgram(process.execPath, [path]);
    expect(code, stderr).toBe(0);
    return JSON.parse(stdout) as Outcomes;
  } finally {
    await rm(folder, { recursive: true });
  }
}

const absent = ['REQUEST_NOT_FOUND', 'CERTIFICATE_NOT_FOUND', 'REQUEST_STATE_NOT_ALLOWED'];
/** What takes credentials is refused by those of an example. */
const otherwise: Readonly<Record<string, readonly string[]>> = {
  'auth.signIn': ['UNAUTHENTICATED'],
  'auth.refresh': ['UNAUTHENTICATED'],
  'auth.readInvitation': ['UNAUTHENTICATED'],
  'auth.acceptInvitation': ['UNAUTHENTICATED'],
  'auth.passkeySignIn': ['UNAUTHENTICATED'],
  'auth.changePassword': ['FORBIDDEN'],
  // An example has no password.
  'auth.enrolPasskey': ['FRESH_PROOF_NEEDED'],
  'auth.enrolTotp': ['FRESH_PROOF_NEEDED'],
  'auth.removeFactor': ['FRESH_PROOF_NEEDED'],
  // There are no terms of this id.
  'terms.activate': ['FIELD_INVALID'],
};

const pathShape = /^await rubrica\.procedures\.([\w.]+)\.(?:query|mutate)\(/;

it('shows dashboards calls that can be pasted: what an example names may not be there, and nothing else is wrong', async () => {
  const info = await invitedAdministrator(scene.stack.info());
  const index = `${info.baseUrl}/docs/operators`;
  const [beginning = ''] = await shownCode(index, 'typescript');
  const groups = new Set(Object.keys(operatorProcedures).map((path) => path.split('.')[0]));
  const blocks: string[] = [];
  for (const group of groups) blocks.push(...(await shownCode(`${index}/${group}`, 'typescript')));
  const calls = blocks.map((text) => ({ path: pathShape.exec(text)?.[1] ?? text, text }));
  expect(calls.map(({ path }) => path).toSorted()).toEqual(Object.keys(operatorProcedures).toSorted());
  // The session of all others ends by it.
  const inOrder = calls.toSorted(
    (a, b) => Number(a.path === 'auth.signOut') - Number(b.path === 'auth.signOut'),
  );
  const outcomes = await run(`const { email, password } = ${JSON.stringify(info.operators.admin)};
const outcomes = {};
${beginning.replace('https://firma.example/trpc', info.trpcUrl)}
${inOrder
  .map(
    ({ path, text }) =>
      `try { outcomes['${path}'] = { answer: ${text.replace(/;$/, '')} ?? {} }; }
catch (error) { outcomes['${path}'] = { code: error.data?.appCode ?? String(error) }; }`,
  )
  .join('\n')}
process.stdout.write(JSON.stringify(outcomes));`);

  const admin = await operatorActor(info, 'admin');
  for (const { answer } of Object.values(outcomes))
    if (answer?.approvalId !== undefined)
      await admin.call('approvals.reject', { id: answer.approvalId, reason: 'made by an example' });
  const refused = Object.entries(outcomes).filter(
    ([path, { code }]) => code !== undefined && !(otherwise[path] ?? absent).includes(code),
  );
  expect(refused).toEqual([]);
  expect(Object.keys(outcomes)).toHaveLength(calls.length);
});
