import { execFile } from 'node:child_process';
import { createHmac, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { HOUR_MS } from '@rubrica/contracts/shared/durations';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryHome, waitFor } from './helpers.ts';
import { type RunningCli, startCli } from './support/cli.ts';
import { bundle, issuedBody, post, type Sandbox, startSandbox } from './support/sandbox.ts';

const secret = `whsec_${randomBytes(32).toString('base64')}`;

/** Listens on any port; gives the address that it printed. */
async function listening(
  args: string[],
  env: Record<string, string> = {},
): Promise<RunningCli & { url: string }> {
  const running = startCli(['listen', '--port', '0', ...args], { RUBRICA_HOME: '/nonexistent', ...env });
  const url = await waitFor(() => {
    const text = running.output.text + running.errors.text;
    return text.includes('Waiting for calls') ? /Listening at (\S+)/.exec(text)?.[1] : undefined;
  }, 'the address');
  return { ...running, url };
}

async function finish({ child, code, output }: RunningCli): Promise<string> {
  child.kill('SIGINT');
  expect(await code).toBe(0);
  return output.text;
}

const inHome = ({ home }: Sandbox) => ({ RUBRICA_HOME: home });
const seen = (running: RunningCli, words: string) =>
  waitFor(() => running.output.text.includes(words) || undefined, words);

test('a call is shown with its verdict, its attempt and its body, and Ctrl-C sums up', async () => {
  const running = await listening(['--secret', secret]);
  expect((await post(running.url, { secret })).status).toBe(204);
  expect((await post(running.url, { secret })).status).toBe(204);
  const text = await finish(running);
  expect(text).toMatch(/✔ certificate\.issued/);
  expect(text).toMatch(/signature +valid, made with the secret of yours \(v1\)/);
  expect(text).toMatch(/id +msg-1 {2}attempt 1\n[\s\S]*id +msg-1 {2}attempt 2\n/);
  expect(text).toMatch(/occurred +2026-11-20T19:22:40\.123/);
  expect(text).toMatch(/signed +(less than 1|\d) s before it arrived/);
  expect(text).toMatch(/answered +204/);
  expect(text).toContain('"referenceTransaction": "TX-1"');
  expect(text).toContain('2 calls of 1 event: 2 certificate.issued\n  every signature valid\n');
});

test('password and certificate file are shown only when asked for', async () => {
  const hiding = await listening(['--secret', secret]);
  await post(hiding.url, { secret });
  const hidden = await finish(hiding);
  expect(hidden).not.toContain('Cuyabeno 7');
  expect(hidden).not.toContain(bundle.toString('base64'));
  expect(hidden).toContain(`${bundle.toString('base64').slice(0, 16)}… (402 bytes in base64)`);
  const showing = await listening(['--secret', secret, '--show-secrets']);
  await post(showing.url, { secret });
  expect(await finish(showing)).toContain('"password": "Cuyabeno 7"');
  expect(showing.output.text).toContain(bundle.toString('base64'));
});

test('what is wrong with a signature is said in plain words', async () => {
  const sandbox = await startSandbox();
  const running = await listening([], inHome(sandbox));
  const { sandbox: own, otp } = sandbox.partners;
  await post(running.url, { secret: own.webhookSecret, id: 'good' });
  await post(running.url, { secret: otp.webhookSecret, id: 'mixed-up' });
  await post(running.url, { secret, id: 'strange' });
  await post(running.url, { secret: own.webhookSecret, id: 'late', at: new Date(Date.now() - HOUR_MS) });
  await fetch(running.url, {
    method: 'POST',
    body: 'not even JSON',
    headers: { 'webhook-id': '\u001b[2J' },
  }).catch(() => 0);
  await fetch(running.url, {
    method: 'POST',
    body: 'not even JSON',
    headers: { 'x-rubrica-event': '\u009b2J' },
  });
  const text = await finish(running);
  expect(text).toContain('valid, made with the secret of partner sandbox (v1)');
  expect(text).toContain('wrong signature: made with the secret of partner otp');
  expect(text).toContain('wrong signature: not made with the secret of partner sandbox (another secret');
  expect(text).toMatch(/too old: signed 360\d s ago, 300 s are allowed, though the signature is right/);
  expect(text).toContain('not signed: webhook-id, webhook-timestamp, webhook-signature are missing');
  expect(text).toContain('(13 bytes that are no JSON)');
  expect(text).toContain('1 valid, 4 refused: 2 WRONG_SIGNATURE, 1 TOO_OLD, 1 MISSING_HEADER');
  // A terminal obeys control characters, whoever sent them.
  expect(text.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u);
});

test('a public key verifies ed25519, and one of several secrets is enough', async () => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const whpk = `whpk_${publicKey.export({ type: 'spki', format: 'der' }).subarray(-32).toString('base64')}`;
  const running = await listening(['--json', '--secret', secret, '--secret', whpk]);
  const timestamp = String(Math.floor(Date.now() / 1_000));
  const signed = Buffer.from(`msg-1.${timestamp}.{}`);
  const signature = `v1a,${sign(null, signed, privateKey).toString('base64')}`;
  const other = `v1,${createHmac('sha256', 'x').update(signed).digest('base64')}`;
  await fetch(running.url, {
    method: 'POST',
    body: '{}',
    headers: {
      'webhook-id': 'msg-1',
      'webhook-timestamp': timestamp,
      'webhook-signature': `${other} ${signature}`,
    },
  });
  await finish(running);
  expect(JSON.parse(running.output.text).signature).toEqual({
    valid: true,
    version: 'v1a',
    secret: 'yours, number 2',
  });
});

test('--json gives one object per call on stdout and nothing else', async () => {
  const running = await listening(['--json', '--answer', '500,hang,204'], { WEBHOOK_SECRET: secret });
  await post(running.url, { secret });
  await expect(post(running.url, { secret, patienceMs: 1_500 })).rejects.toThrow('timeout');
  await seen(running, '"hang"');
  await post(running.url, { secret, event: 'request.error', body: '{"message":"Ñ\u009b"}' });
  const lines = (await finish(running)).trim().split('\n');
  expect(lines.join('')).not.toMatch(/\p{Cc}/u);
  const calls = lines.map((line) => JSON.parse(line));
  expect(calls).toEqual([
    {
      receivedAt: expect.stringMatching(/^\d{4}-.*Z$/),
      id: 'msg-1',
      event: 'certificate.issued',
      attempt: 1,
      signature: { valid: true, version: 'v1', secret: 'yours' },
      occurredAt: '2026-11-20T19:22:40.123',
      latencySeconds: expect.any(Number),
      answer: { status: 500 },
      saved: null,
      body: expect.objectContaining({
        referenceTransaction: 'TX-1',
        password: expect.stringContaining('••••••'),
      }),
    },
    expect.objectContaining({ attempt: 2, answer: { fault: 'hang' } }),
    expect.objectContaining({ attempt: 3, answer: { status: 204 }, body: { message: 'Ñ\u009b' } }),
  ]);
  expect(running.errors.text).toContain('3 calls of 1 event');
});

/** What a real client sees of one attempt. */
async function outcome(url: string, patienceMs: number): Promise<string> {
  try {
    const response = await post(url, { secret, patienceMs });
    const headers = ['location', 'retry-after'].flatMap((name) => response.headers.get(name) ?? []);
    await response.text();
    return [response.status, ...headers].join(' ');
  } catch (error) {
    const { name, cause } = error as { name: string; cause?: { code?: string; name: string } };
    return cause?.code ?? cause?.name ?? name;
  }
}

test.each<[string[], string[]]>([
  [
    ['--answer', '500'],
    ['500', '500'],
  ],
  [
    ['--answer', '503,429,200'],
    ['503', '429', '200', '200'],
  ],
  [
    ['--answer', 'reset,204'],
    ['ECONNRESET', '204'],
  ],
  [['--gone'], ['410']],
  [['--redirect', 'http://127.0.0.1:9/x'], ['307 http://127.0.0.1:9/x']],
  [['--retry-after', '5'], ['503 5']],
  [
    ['--answer', '429,204', '--retry-after', '7'],
    ['429 7', '204'],
  ],
  [['--reset'], ['ECONNRESET']],
  [['--garbage'], ['HTTPParserError']],
  [['--hang'], ['TimeoutError']],
  [['--drip'], ['TimeoutError']],
  [['--delay', '60000'], ['TimeoutError']],
  [['--delay', '20'], ['204']],
])('with %j a client sees %j', async (args, outcomes) => {
  const running = await listening(['--secret', secret, ...args]);
  const got: string[] = [];
  for (const expected of outcomes) {
    got.push(await outcome(running.url, expected === 'TimeoutError' ? 1_500 : 30_000));
  }
  expect(got).toEqual(outcomes);
  await finish(running);
});

test('a dripping answer has begun when it is given up', async () => {
  const running = await listening(['--secret', secret, '--drip']);
  const response = await post(running.url, { secret });
  const { value } = (await response.body?.getReader().read()) ?? {};
  expect([response.status, Buffer.from(value ?? []).toString()]).toEqual([200, '.']);
  await finish(running);
});

test('attempts are counted per event, so that each goes through the whole sequence', async () => {
  const running = await listening(['--secret', secret, '--answer', '500,204']);
  const statuses: number[] = [];
  for (const id of ['a', 'b', 'a', 'b']) statuses.push((await post(running.url, { secret, id })).status);
  expect(statuses).toEqual([500, 500, 204, 204]);
  await finish(running);
});

test('--save writes verified certificates, readable by nobody else, and only into its folder', async () => {
  await using home = await temporaryHome();
  const folder = join(home.path, 'certificates');
  const running = await listening(['--secret', secret, '--save', folder]);
  await post(running.url, { secret });
  await post(running.url, { secret, id: 'm2', body: issuedBody({ referenceTransaction: '../../etc/TX' }) });
  await post(running.url, {
    secret: `whsec_${randomBytes(32).toString('base64')}`,
    id: 'm3',
    body: issuedBody({ referenceTransaction: 'FORGED' }),
  });
  await post(running.url, {
    secret,
    id: 'm4',
    body: issuedBody({ referenceTransaction: 'EMPTY', file: '' }),
  });
  const text = await finish(running);
  const [own, strange, ...others] = (await readdir(folder)).sort();
  expect([own, others]).toEqual(['TX-1.p12', []]);
  expect(strange).toMatch(/^__\.\._etc_TX-[0-9a-f]{8}\.p12$/);
  expect((await readdir(home.path)).sort()).toEqual(['certificates']);
  expect(await readFile(join(folder, 'TX-1.p12'))).toEqual(bundle);
  expect((await stat(join(folder, 'TX-1.p12'))).mode & 0o777).toBe(0o600);
  expect(text).toContain(join(folder, 'TX-1.p12'));
  expect(text).toContain('no: the call is not verified');
  expect(text).toContain('no: the body holds no certificate file');
});

test('--register shows the whole loop at once', async () => {
  const sandbox = await startSandbox();
  const running = await listening(['--register', '--partner', 'otp'], inHome(sandbox));
  await seen(running, '"serialNumber"');
  const [body] = sandbox.registered;
  expect(body?.callbackUrl).toBe(running.url);
  const text = await finish(running);
  expect(text).toContain(`Registered ${body?.referenceTransaction}: REGISTERED`);
  expect(text).toContain('valid, made with the secret of partner otp (v1)');
});

test('the commands that are printed register a request as they stand', async () => {
  const sandbox = await startSandbox();
  const running = await listening([], inHome(sandbox));
  const commands = running.output.text
    .split('\n')
    .filter((line) => line.startsWith('    '))
    .join('\n');
  const ran = await promisify(execFile)('bash', ['-euc', commands]);
  expect(ran.stdout).toContain('"REGISTERED"');
  expect(sandbox.registered).toEqual([
    expect.objectContaining({
      callbackUrl: running.url,
      referenceTransaction: expect.stringMatching(/^CURL-\d+$/),
    }),
  ]);
  await seen(running, '"serialNumber"');
  await finish(running);
});

test('other methods and bodies beyond all measure are answered, noted and not counted', async () => {
  const running = await listening(['--secret', secret]);
  const got = await fetch(running.url);
  expect([got.status, got.headers.get('allow')]).toEqual([405, 'POST']);
  const large = await fetch(running.url, { method: 'POST', body: Buffer.alloc(17 * 1024 * 1024) }).then(
    ({ status }) => status,
    () => 'cut off while sending',
  );
  expect([413, 'cut off while sending']).toContain(large);
  await seen(running, '413');
  const text = await finish(running);
  expect(text).toContain('GET /webhooks/rubrica was answered 405: webhooks come by POST');
  expect(text).toContain('No webhook came.');
});

test('a reader that has had enough of the output ends it without a complaint', async () => {
  const running = await listening(['--json', '--secret', secret]);
  running.child.stdout?.destroy();
  await post(running.url, { secret });
  await post(running.url, { secret }).catch(() => undefined);
  expect(await running.code).toBe(0);
  expect(running.errors.text).not.toContain('EPIPE');
});

test('a body nested too deep to be shown does no harm', async () => {
  const running = await listening(['--secret', secret]);
  await post(running.url, { secret, body: '['.repeat(200_000) + ']'.repeat(200_000) });
  expect(await finish(running)).toContain('400000 bytes');
});

test('a port that is taken is named', async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const { code, errors } = startCli(['listen', '--secret', secret, '--port', String(port)], {
    RUBRICA_HOME: '/nonexistent',
  });
  expect(await code).toBe(1);
  expect(errors.text).toContain(`Port ${port} is taken.`);
});

test.each([
  [[], 'No stack runs here whose secret could be used'],
  [['--secret', 'MfKQ9r8GKYqr'], 'begins with "whsec_"'],
  [['--secret', secret, '--partner', 'otp'], 'exclude each other'],
  [['--secret', secret, '--port', '70000'], 'from 0 to 65535'],
  [['--secret', secret, '--tolerance', 'ages'], 'got "ages"'],
  [['--secret', secret, '--answer', '700'], 'from 200 to 599'],
  [['--secret', secret, '--hang', '--drip'], '--hang and --drip exclude each other'],
  [['--fast'], '--fast'],
])('%j is refused as a wrong call with what would be right', async (args, words) => {
  const { code, errors } = startCli(['listen', ...args], { RUBRICA_HOME: '/nonexistent' });
  expect(await code).toBe(2);
  expect(errors.text).toContain(words);
  expect(errors.text).toContain('npm run listen [-- options]');
});

test('an unknown partner is refused with those there are', async () => {
  const sandbox = await startSandbox();
  const { code, errors } = startCli(['listen', '--partner', 'constructor'], inHome(sandbox));
  expect([await code, errors.text]).toEqual([
    2,
    expect.stringContaining('one of sandbox, otp; got "constructor"'),
  ]);
});

test('it explains itself', async () => {
  const { code, output } = startCli(['listen', '--help'], { RUBRICA_HOME: '/nonexistent' });
  expect(await code).toBe(0);
  await expect(output.text).toMatchFileSnapshot('snapshots/listen-help.txt');
});
