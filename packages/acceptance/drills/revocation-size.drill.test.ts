import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { encodeCertId, issuerHashes, ocspRequest, parseCertificate } from '@rubrica/pki';
import { type Stack, startStack } from '@rubrica/stack';
import { freePort } from '@rubrica/testkit/processes';
import { stackHome } from '@rubrica/testkit/stack-home';
import { Client } from 'pg';
import { afterEach, expect, it, vi } from 'vitest';
import { awaitIdle, type Cpu, readCpu, sumCpu, usedBetween } from '../bench/cpu.ts';
import { queryStack } from '../e2e/support/ledger.ts';
import { operatorActor } from '../e2e/support/operator-actor.ts';
import { type PartnerActor, partnerActor } from '../e2e/support/partner-actor.ts';
import { until } from '../e2e/support/poll.ts';
import { send } from '../e2e/support/rest.ts';
import { runProgram } from '../e2e/support/shell.ts';
import { stolenKeys } from '../e2e/support/stolen-service.ts';
import { fillCertificates, filledSerials } from './support/fill-certificates.ts';
import { say, sayTable } from './support/say.ts';
import { watchProcesses } from './support/watched-process.ts';

const certificates = 2_000_000;
const revokedEvery = 10;
const revoked = certificates / revokedEvery;
/** Issued by the stack: some are revoked before the others are there, as many after, the last is not. */
const revocations = { unmeasured: 10, measured: 20 };
const revokedEachTime = revocations.unmeasured + revocations.measured;
const questions = 2_000;
const unmeasuredQuestions = 200;
const inFlight = 16;
const readersAtOnce = 10;

const mostGrowthMb = 64;
const mostHeldUpMs = 50;
const mostAnswerMs = 5;
/** The probe in each process never rests: a slow machine is as quiet as it becomes after this. */
const mostQuietMs = 30_000;

// All drills share a process, and only this one's services have the probe.
afterEach(() => vi.unstubAllEnvs());

it('a list of 200,000 of two million certificates, and answers about them, cost what they may', {
  timeout: 1_700_000,
}, async () => {
  await using place = await stackHome('revocation-size');
  const probe = join(place.folder, 'probe');
  await mkdir(probe);
  vi.stubEnv('RUBRICA_NODE_OPTIONS', `--import ${join(import.meta.dirname, 'support/event-loop-probe.ts')}`);
  const start = async () =>
    startStack({ home: place.home, port: await freePort(), env: { EVENT_LOOP_PROBE: probe } });
  let stack = await start();
  await using _ended = { [Symbol.asyncDispose]: () => stack.stop() };
  await place.remember(stack.info().databaseUrl);
  const serials = await issue(stack, 2 * revokedEachTime + 1);
  const toRevoke = serials.slice(0, -1);
  const whenFew = await revoke(stack, place.home, toRevoke.splice(0, revokedEachTime));
  await fill(stack);
  // So that no process remembers anything of the filling; what they need is counted from here on.
  await stack.stop();
  stack = await start();
  say('waiting until the stack is quiet');
  await awaitIdle(place.home, mostQuietMs);

  const { services, pki } = stack.info();
  const fresh = await watchProcesses(services, probe);
  const answers = await askOcsp(stack, place.home);
  const answering = await fresh.seen('OCSP answers, after a start');
  await awaitIdle(place.home, mostQuietMs);
  // They have worked before, so what they need beyond that is the list's.
  const watch = await watchProcesses(services, probe);
  const listMs = await timed(() => signList(stack));
  const listing = await watch.seen('the list signed');
  const list = await readList(pki.crl);
  listing.push(...(await watch.seen(`the list read by ${readersAtOnce} at once`)));
  const again = await fetch(pki.crl, { headers: { 'if-none-match': list.etag } });
  expect(again.status).toBe(304);
  const whenMany = await revoke(stack, place.home, toRevoke);
  const revoking = await watch.seen('revocations, with their delta');
  const entries = await readByOpenssl(stack, { folder: place.folder, list: list.octets, serials });

  sayTable([
    ['', 'when idle', 'at most', 'event loop held up, at most', 'by CPU of its own'],
    ...[...answering, ...listing, ...revoking].map(({ what, idleMb, mostMb, delayMs, cpuMs }) => [
      what,
      `${idleMb.toFixed(0)} MB`,
      `${mostMb.toFixed(0)} MB`,
      `${delayMs.toFixed(0)} ms`,
      `${cpuMs.toFixed(0)} ms`,
    ]),
  ]);
  sayTable([
    [`complete list, ${entries} entries`, `${list.octets.length} octets`, `${listMs.toFixed(0)} ms`],
    ...answers.map(({ what, cpu }) => [`OCSP, ${what}`, ...cpuCells(cpu)]),
    ['a revocation, few certificates', ...cpuCells(whenFew)],
    ['a revocation, two million certificates', ...cpuCells(whenMany)],
  ]);
  expect(entries).toBe(revoked + revokedEachTime);
  for (const { what, idleMb, mostMb, cpuMs } of listing) {
    expect(mostMb - idleMb, `growth, ${what}`).toBeLessThan(mostGrowthMb);
    expect(cpuMs, `event loop held up, ${what}`).toBeLessThan(mostHeldUpMs);
  }
  for (const { what, cpu } of answers)
    expect(sumCpu(cpu), `CPU of an answer, ${what}`).toBeLessThanOrEqual(mostAnswerMs);
});

/** Of a millisecond: what sweepers and the probe in each process take, whatever else is done, is no part of an answer. */
async function cpuAtRest(home: string): Promise<Cpu> {
  const before = await awaitIdle(home, mostQuietMs);
  const takenMs = await timed(() => delay(10_000));
  return shareOf(usedBetween(before, await readCpu(home)), takenMs);
}

/** CPU of one of them. */
function cpuCells(cpu: Cpu): [string, string] {
  const parts = Object.entries(cpu).filter(([, ms]) => ms >= 0.1);
  return [
    `${sumCpu(cpu).toFixed(2)} ms of CPU`,
    parts.map(([name, ms]) => `${name} ${ms.toFixed(2)}`).join(', '),
  ];
}

function shareOf(cpu: Cpu, count: number): Cpu {
  return Object.fromEntries(Object.entries(cpu).map(([name, ms]) => [name, ms / count]));
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

async function withPartner<T>(stack: Stack, work: (partner: PartnerActor) => Promise<T>): Promise<T> {
  await using partner = await partnerActor(stack.info(), 'sandbox');
  return await work(partner);
}

/** @returns serial numbers */
async function issue(stack: Stack, count: number): Promise<string[]> {
  return withPartner(stack, async (partner) => {
    const serials: string[] = [];
    while (serials.length < count) {
      const { reference } = await partner.accepted();
      const { serialNumber } = await partner.reaches(reference, 'GENERATED');
      if (serialNumber !== null) serials.push(serialNumber);
    }
    return serials;
  });
}

/** By the partner, one after the other. @returns CPU of one, the lists that follow included */
async function revoke(stack: Stack, home: string, serials: readonly string[]): Promise<Cpu> {
  const revokeThese = (these: readonly string[]) =>
    withPartner(stack, async ({ token }) => {
      for (const serialNumber of these) {
        const body = { serialNumber, reason: 'superseded' };
        const answer = await send(stack.info().baseUrl, {
          path: '/manager/certificate/revoke',
          token,
          body,
        });
        expect(answer.status).toBe(200);
      }
    });
  // The first meet code that the compiler has not seen.
  await revokeThese(serials.slice(0, revocations.unmeasured));
  const before = await awaitIdle(home, mostQuietMs);
  await revokeThese(serials.slice(revocations.unmeasured));
  return shareOf(usedBetween(before, await readCpu(home)), revocations.measured);
}

async function fill(stack: Stack): Promise<void> {
  const client = new Client({ connectionString: stack.info().databaseUrl });
  await client.connect();
  try {
    await fillCertificates(client, {
      certificates,
      revokedEvery,
      issuer: issuerOf(stack),
      keyring: await stolenKeys({ stack }, 'generation'),
      onProgress: (filled) => say(`${filled} of ${certificates} certificates filled`),
    });
  } finally {
    await client.end();
  }
}

function issuerOf(stack: Stack): string {
  return /([^/]+)\.crl$/.exec(stack.info().pki.crl)?.[1] ?? '';
}

/** Until the next complete list is stored. */
async function signList(stack: Stack): Promise<void> {
  const row = async () => {
    const [found] = await queryStack<{ number: string }>(
      stack,
      'select number from generation.crl where issuer = $1 and shard = 0',
      [issuerOf(stack)],
    );
    return Number(found?.number ?? 0);
  };
  const before = await row();
  await queryStack(stack, 'update generation.crl set renew_at = now() where issuer = $1 and shard = 0', [
    issuerOf(stack),
  ]);
  await until('a new complete list', async () => (await row()) > before || undefined, {
    deadlineMs: 300_000,
  });
}

async function readList(url: string): Promise<{ octets: Buffer; etag: string }> {
  const reads = Array.from({ length: readersAtOnce }, async () => {
    const response = await fetch(url);
    expect(response.status).toBe(200);
    return { octets: Buffer.from(await response.arrayBuffer()), etag: response.headers.get('etag') ?? '' };
  });
  const [first, ...others] = await Promise.all(reads);
  if (first === undefined) throw new Error('nobody read');
  for (const other of others) expect(other.octets.equals(first.octets)).toBe(true);
  return first;
}

async function askOcsp(stack: Stack, home: string): Promise<{ what: string; cpu: Cpu }[]> {
  const { pki } = stack.info();
  const der = new Uint8Array(await (await fetch(pki.issuing)).arrayBuffer());
  const issuing = parseCertificate(der);
  if (!issuing.ok) throw new Error(issuing.error.reason);
  const issuer = issuerHashes(issuing.value);
  const count = unmeasuredQuestions + questions;
  const asked = filledSerials({ count, step: Math.floor(certificates / count) }).map((serial) =>
    ocspRequest({ certIds: [encodeCertId({ issuer, hash: 'sha1', serial })] }),
  );
  const askAll = async (requests: readonly Uint8Array[]) => {
    const left = [...requests];
    const ask = async () => {
      for (let request = left.pop(); request !== undefined; request = left.pop()) {
        const answer = await fetch(pki.ocsp, {
          method: 'POST',
          headers: { 'content-type': 'application/ocsp-request' },
          body: Buffer.from(request),
        });
        expect(answer.status).toBe(200);
        expect((await answer.arrayBuffer()).byteLength).toBeGreaterThan(500);
      }
    };
    await Promise.all(Array.from({ length: inFlight }, ask));
  };
  await askAll(asked.splice(0, unmeasuredQuestions));
  const measure = async (what: string) => {
    const restingMs = await cpuAtRest(home);
    const before = await readCpu(home);
    const takenMs = await timed(() => askAll(asked));
    const used = usedBetween(before, await readCpu(home));
    const ofAnswers = Object.entries(used).map(([name, ms]) => [name, ms - (restingMs[name] ?? 0) * takenMs]);
    return { what, cpu: shareOf(Object.fromEntries(ofAnswers), questions) };
  };
  return [await measure('first question about a certificate'), await measure('kept answer')];
}

interface Read {
  readonly folder: string;
  readonly list: Buffer;
  readonly serials: readonly string[];
}

/** OpenSSL verifies the list, and by it refuses a certificate that is revoked and takes one that is not. @returns entries */
async function readByOpenssl(stack: Stack, { folder, list, serials }: Read): Promise<number> {
  const openssl = (...args: string[]) => runProgram('openssl', args, { cwd: folder });
  const { pki } = stack.info();
  const rootList = pki.root.replace(/\.cer$/, '.crl');
  await writeFile(join(folder, 'issuing.crl'), list);
  for (const [file, url] of Object.entries({
    'root.cer': pki.root,
    'issuing.cer': pki.issuing,
    'root.crl': rootList,
  }))
    await writeFile(join(folder, file), Buffer.from(await (await fetch(url)).arrayBuffer()));
  for (const name of ['root', 'issuing']) {
    await openssl('x509', '-inform', 'DER', '-in', `${name}.cer`, '-out', `${name}.pem`);
    await openssl('crl', '-inform', 'DER', '-in', `${name}.crl`, '-out', `${name}.crl.pem`);
  }
  const read = await openssl('crl', '-in', 'issuing.crl.pem', '-noout', '-text', '-CAfile', 'issuing.pem');
  expect(read.stderr).toContain('verify OK');
  const operator = await operatorActor(stack.info(), 'admin');
  const verify = async (serialNumber: string | undefined) => {
    const { pem } = await operator.call('certificates.get', { serialNumber });
    await writeFile(join(folder, 'certificate.pem'), pem ?? '');
    const { stdout, stderr } = await openssl(
      ...['verify', '-crl_check_all', '-CAfile', 'root.pem', '-untrusted', 'issuing.pem'],
      ...['-CRLfile', 'issuing.crl.pem', '-CRLfile', 'root.crl.pem', 'certificate.pem'],
    );
    return stdout + stderr;
  };
  expect(await verify(serials[0])).toContain('certificate revoked');
  expect(await verify(serials.at(-1))).toContain('certificate.pem: OK');
  return read.stdout.match(/Serial Number: /g)?.length ?? 0;
}
