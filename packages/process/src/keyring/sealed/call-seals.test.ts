import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type GeneratedKeys, generateServiceKeys } from '../generate-keys.ts';
import { type Keyring, loadKeyring } from '../keyring.ts';
import { addKey, endKey, useKey } from '../rotate-keys.ts';

const subject = 'rpc.v2.intake.gateway.requests.register';
const content = [Buffer.from('headers and '), Buffer.from('body')];
const names = ['gateway', 'intake', 'notifier'] as const;
type Name = (typeof names)[number];

let folder: string;
let sets: Record<Name, GeneratedKeys>;
let keyrings: Record<Name, Keyring>;
let now = 1_800_000_000_000;

async function write(): Promise<void> {
  for (const name of names)
    await writeFile(join(folder, `${name}.json`), JSON.stringify(sets[name].privateJwks));
  const peers = Object.fromEntries(names.map((name) => [name, sets[name].publicJwks]));
  await writeFile(join(folder, 'peers.json'), JSON.stringify(peers));
}

const keyringOf = (name: Name) =>
  loadKeyring({ keysFile: join(folder, `${name}.json`), peersFile: join(folder, 'peers.json') }, name);

const sealsOf = (name: Name) =>
  keyrings[name].openCallSeals({ nowMs: () => now, isTimeless: (path) => path === 'clock.read' });

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'call-seals-'));
  sets = {
    gateway: generateServiceKeys('gateway'),
    intake: generateServiceKeys('intake'),
    notifier: generateServiceKeys('notifier'),
  };
  await write();
  keyrings = {
    gateway: await keyringOf('gateway'),
    intake: await keyringOf('intake'),
    notifier: await keyringOf('notifier'),
  };
});
afterAll(() => rm(folder, { recursive: true }));

const text = (bytes: Uint8Array | undefined) => bytes && Buffer.from(bytes).toString();

function opened(seals: ReturnType<typeof sealsOf>, bytes: Uint8Array, at = subject) {
  const call = seals.openCall(at, bytes);
  if (call.kind !== 'opened') throw new Error(call.reason);
  return call;
}

const refusal = (seals: ReturnType<typeof sealsOf>, bytes: Uint8Array, at = subject) => {
  const call = seals.openCall(at, bytes);
  return call.kind === 'refused' ? call.reason : call.kind;
};

describe('a sealed call', () => {
  it('is opened by its receiver, and answered to its caller', () => {
    const call = sealsOf('gateway').sealCall(subject, content);
    const received = opened(sealsOf('intake'), call.bytes);
    expect(text(received.content)).toBe('headers and body');
    expect(text(call.openAnswer(received.sealAnswer([Buffer.from('the '), Buffer.from('answer')])))).toBe(
      'the answer',
    );
  });

  it('shows nothing of its content, nor does its answer', () => {
    const call = sealsOf('gateway').sealCall(subject, content);
    const answer = opened(sealsOf('intake'), call.bytes).sealAnswer([Buffer.from('secret')]);
    expect(text(call.bytes)).not.toContain('body');
    expect(text(answer)).not.toContain('secret');
  });

  it('is opened by nobody else', () => {
    const call = sealsOf('gateway').sealCall(subject, content);
    expect(refusal(sealsOf('notifier'), call.bytes)).toBe('malformed');
    const moved = 'rpc.v2.notifier.gateway.requests.register';
    expect(refusal(sealsOf('notifier'), call.bytes, moved)).toBe('unknown-key');
  });

  it('is not taken at another subject, in the name of another caller, or altered anywhere', () => {
    const { bytes } = sealsOf('gateway').sealCall(subject, content);
    const intake = sealsOf('intake');
    expect(refusal(intake, bytes, 'rpc.v2.intake.gateway.requests.cancel')).toBe('not-authentic');
    expect(refusal(intake, bytes, 'ops.v2.intake.gateway.requests.register')).toBe('not-authentic');
    expect(refusal(intake, bytes, 'rpc.v2.intake.notifier.requests.register')).toBe('unknown-key');
    for (let at = 0; at < bytes.length; at += 1) {
      const altered = Buffer.from(bytes);
      altered[at] = (altered[at] ?? 0) ^ 1;
      expect(refusal(intake, altered), `byte ${at}`).not.toBe('opened');
      expect(refusal(intake, bytes.subarray(0, at)), `${at} bytes`).not.toBe('opened');
    }
    expect(refusal(intake, bytes)).toBe('opened');
  });

  it('is made in the name of its own service alone', () => {
    expect(() => sealsOf('notifier').sealCall(subject, content)).toThrow('no key is known');
    expect(() => sealsOf('gateway').sealCall('rpc.v2.stranger.gateway.x', content)).toThrow(
      'no key is known',
    );
  });

  it('of a service that has shown its key is not taken in the name of another', async () => {
    const intake = sealsOf('intake');
    const honest = 'rpc.v2.intake.notifier.messages.get';
    expect(refusal(intake, sealsOf('notifier').sealCall(honest, content).bytes, honest)).toBe('opened');
    const files = { keysFile: join(folder, 'notifier.json'), peersFile: join(folder, 'peers.json') };
    const forger = (await loadKeyring(files, 'gateway')).openCallSeals({ nowMs: () => now });
    expect(refusal(intake, forger.sealCall(subject, content).bytes)).toBe('unknown-key');
  });

  it('is taken once by a process, whatever came in between, also after the keys were read again', async () => {
    const gateway = sealsOf('gateway');
    const intake = sealsOf('intake');
    const { bytes } = gateway.sealCall(subject, content);
    const next = gateway.sealCall(subject, content);
    expect([bytes, next.bytes, bytes].map((one) => refusal(intake, one))).toEqual([
      'opened',
      'opened',
      'repeated',
    ]);
    sets.notifier = generateServiceKeys('notifier');
    await write();
    await keyrings.intake.reread();
    expect(refusal(intake, bytes)).toBe('repeated');
  });

  it('counts for 30 s, and not where its time lies ahead; one without a time counts for itself', () => {
    const gateway = sealsOf('gateway');
    const clock = 'rpc.v2.intake.gateway.clock.read';
    const [inTime, old, timeless] = [subject, subject, clock].map(
      (at) => gateway.sealCall(at, content).bytes,
    );
    now += 30_000;
    expect(refusal(sealsOf('intake'), inTime as Buffer)).toBe('opened');
    now += 1;
    expect(refusal(sealsOf('intake'), old as Buffer)).toBe('late');
    expect(refusal(sealsOf('intake'), timeless as Buffer, clock)).toBe('opened');
    const ahead = gateway.sealCall(subject, content).bytes;
    now -= 30_001;
    expect(refusal(sealsOf('intake'), ahead)).toBe('late');
  });
});

describe('an answer', () => {
  it('counts for its own call: no recorded, foreign or altered one does', () => {
    const [gateway, intake] = [sealsOf('gateway'), sealsOf('intake')];
    const [one, other] = [gateway.sealCall(subject, content), gateway.sealCall(subject, content)];
    const answer = opened(intake, one.bytes).sealAnswer([Buffer.from('good')]);
    expect(other.openAnswer(answer)).toBeUndefined();
    const altered = Buffer.from(answer);
    altered[altered.length - 1] = (altered.at(-1) ?? 0) ^ 1;
    expect(one.openAnswer(altered)).toBeUndefined();
    expect(one.openAnswer(one.bytes)).toBeUndefined();
    expect(one.openAnswer(Buffer.from('{"result":{"data":"good"}}'))).toBeUndefined();
    expect(text(one.openAnswer(answer))).toBe('good');
  });

  it('never has the nonce of another under its key', () => {
    const received = opened(sealsOf('intake'), sealsOf('gateway').sealCall(subject, content).bytes);
    const [one, other] = [received.sealAnswer([Buffer.from('a')]), received.sealAnswer([Buffer.from('a')])];
    expect(Buffer.from(one).equals(other)).toBe(false);
  });
});

describe('a rotation of keys', () => {
  it.each(['gateway', 'intake'] as const)(
    'of %s goes on under traffic, whoever has read its files first, and ends the former key',
    async (service) => {
      const before = { gateway: sealsOf('gateway'), intake: sealsOf('intake') };
      const former = before.gateway.sealCall(subject, content).bytes;
      const formerKid = keyrings[service].sealingKeyOf(service) ?? '';
      const exchange = () => {
        const call = before.gateway.sealCall(subject, content);
        const answer = opened(before.intake, call.bytes).sealAnswer([Buffer.from('answer')]);
        expect(text(call.openAnswer(answer))).toBe('answer');
      };
      const step = async (next: GeneratedKeys) => {
        sets[service] = next;
        await write();
        for (const name of ['gateway', 'intake'] as const) {
          await keyrings[name].reread();
          exchange();
        }
      };
      const added = addKey(sets[service], service, 'enc');
      await step(added.set);
      await step(useKey(sets[service], added.kid));
      await step(endKey(sets[service], formerKid));
      expect(refusal(before.intake, former)).toBe('unknown-key');
    },
  );
});
