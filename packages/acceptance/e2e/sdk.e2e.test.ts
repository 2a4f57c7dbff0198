import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createRubrica, RubricaError } from '@rubrica/sdk';
import { makeEvidence, makeLinkedPartnerRequest } from '@rubrica/testkit';
import { describe, expect, it } from 'vitest';
import { openPkcs12 } from './support/pkcs12.ts';
import { codeBlocks } from './support/readme.ts';
import { closeAfterAll, joinScene } from './support/scene.ts';
import { projectRoot, runProgram } from './support/shell.ts';

let refusals: number;

/** Loses the answers of as many calls as it is told to: they reach the service, and nobody hears of it. */
const losingAnswers: typeof fetch = async (input, init) => {
  const response = await fetch(input, init);
  if (refusals === 0 || String(input).endsWith('/oauth/token')) return response;
  refusals -= 1;
  await response.body?.cancel();
  throw new TypeError('fetch failed', { cause: new Error('the connection broke') });
};

const scene = await closeAfterAll(joinScene());
const { baseUrl, partners } = scene.stack.info();
const { clientId, clientSecret } = partners.sandbox;
refusals = 0;
const rubrica = createRubrica({ baseUrl, clientId, clientSecret, fetch: losingAnswers });

const examples = join(projectRoot, 'packages', 'sdk', 'examples');

/** As a partner runs it, beside `npm start`. */
const runExample = (name: string, ...options: string[]) =>
  runProgram(process.execPath, [join(examples, name), ...options], {
    env: { ...process.env, RUBRICA_HOME: scene.stack.home },
  });

describe('the examples of the SDK', () => {
  it('shows an error, its correction and the certificate, as verified webhooks bring them', async () => {
    const ran = await runExample('webhook.ts');
    expect(ran, ran.stderr).toMatchObject({ code: 0 });
    expect(ran.stdout).toMatch(
      /^FINGER_CODE_MISMATCH: .+; correctable: .*fingerCode.*\nissued: [0-9A-F]+\n$/,
    );
  });

  it('fetches a first certificate', async () => {
    const path = join(scene.folder, 'first.p12');
    const ran = await runExample('first-certificate.ts', path);
    expect(ran, ran.stderr).toMatchObject({ code: 0 });
    const [, serialNumber, password = ''] =
      /certificate (\S+) is in .*, its password is (\S+)/.exec(ran.stdout) ?? [];
    const { leaf } = await openPkcs12(scene.folder, await readFile(path, 'base64'), password);
    expect(leaf.serialNumber).toBe(serialNumber);
  });

  it('has a README whose first program runs as it stands', async () => {
    const readme = join(projectRoot, 'packages', 'sdk', 'README.md');
    const [program, ...others] = await codeBlocks(readme, 'ts', '// first-certificate');
    expect(others).toEqual([]);
    // Under the project, where its imports resolve as where they are installed.
    await mkdir(join(projectRoot, '.rubrica'), { recursive: true });
    const folder = await mkdtemp(join(projectRoot, '.rubrica', 'sdk-'));
    try {
      await writeFile(join(folder, 'first.ts'), program ?? '');
      const { baseUrl, partners } = scene.stack.info();
      const { clientId: CLIENT_ID, clientSecret: CLIENT_SECRET } = partners.sandbox;
      const env = { ...process.env, BASE_URL: baseUrl, CLIENT_ID, CLIENT_SECRET };
      const ran = await runProgram(process.execPath, ['first.ts'], { cwd: folder, env });
      expect(ran, ran.stderr).toMatchObject({ code: 0 });
      const [, password = ''] = /opens with (\S+)/.exec(ran.stdout) ?? [];
      const file = await readFile(join(folder, 'certificate.p12'), 'base64');
      expect((await openPkcs12(folder, file, password)).leaf.subject).toContain('2450010000');
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('goes through the API flow step by step', async () => {
    const ran = await runExample('step-by-step.ts');
    expect(ran, ran.stderr).toMatchObject({ code: 0 });
    expect(ran.stdout).toMatch(/^registered\nhttp\S+\nGENERATED: [0-9A-F]+\n$/);
  });
});

it('has one first program, in the README and on the documentation page', async () => {
  const [program = ''] = await codeBlocks(
    join(projectRoot, 'packages/sdk/README.md'),
    'ts',
    '// first-certificate',
  );
  const shown = await readFile(join(projectRoot, 'packages/docs/src/examples/first-certificate.ts'), 'utf8');
  const significant = (text: string) => text.replaceAll(/\s|,(?=\s*[}\])])/g, '');
  expect(significant(shown)).toBe(significant(program.replace('// first-certificate', '')));
});

describe('a call whose answer is lost', () => {
  const request = () => {
    const { callbackUrl } = scene.partners.sandbox;
    const evidences = [makeEvidence()];
    return { ...makeLinkedPartnerRequest({ callbackUrl }), evidences };
  };

  it('registers once, and gives the record of what was registered', async () => {
    const sent = request();
    refusals = 1;
    const registered = await rubrica.linkedPartner.register(sent);
    expect(registered).toMatchObject({
      recovered: true,
      referenceTransaction: sent.referenceTransaction,
      linkedPartnerRequestId: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
    });
    const done = await rubrica.linkedPartner.waitForStatus({
      referenceTransaction: sent.referenceTransaction,
    });
    expect(done).toMatchObject({ status: 'GENERATED', certificateStatus: 'VALID' });
    const revoke = { referenceTransaction: sent.referenceTransaction, reason: 'superseded' } as const;
    refusals = 1;
    expect(await rubrica.certificates.revoke(revoke)).toEqual({ status: 'REVOKED', recovered: true });
    await expect(rubrica.certificates.revoke(revoke)).rejects.toMatchObject({
      code: 'CERTIFICATE_ALREADY_REVOKED',
    });
  });

  it('cancels once', async () => {
    // The sandbox asks a reviewer about this person, so there is time.
    const sent = { ...request(), identificationNumber: '2450001504' };
    expect(await rubrica.linkedPartner.register(sent)).toMatchObject({
      recovered: false,
      status: 'REGISTERED',
    });
    const named = { referenceTransaction: sent.referenceTransaction };
    refusals = 1;
    expect(await rubrica.linkedPartner.cancel(named)).toMatchObject({ recovered: true, status: 'CANCELLED' });
  });

  it('does not take an earlier request for the one that it made', async () => {
    const sent = request();
    await rubrica.linkedPartner.register(sent);
    const again = await rubrica.linkedPartner.register(sent).catch((error: unknown) => error);
    expect(again).toBeInstanceOf(RubricaError);
    expect(again).toMatchObject({ code: 'DUPLICATED_REFERENCE_TRANSACTION', status: 409 });
  });
});
