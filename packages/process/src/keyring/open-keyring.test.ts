import { rename, rm, writeFile } from 'node:fs/promises';
import { setImmediate } from 'node:timers/promises';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { createKeyrings } from '../../test/keyrings.ts';
import { createLogger } from '../log/logger.ts';
import { createMetrics } from '../metrics/metrics.ts';
import { createRunner } from '../runner/runner.ts';
import { followKeyFiles, openKeyring } from './open-keyring.ts';
import { addKey } from './rotate-keys.ts';

const made = await createKeyrings();
afterAll(made[Symbol.asyncDispose]);

const logger = createLogger({ service: 'intake', level: 'silent', format: 'json' });

async function until(what: () => boolean): Promise<void> {
  while (!what()) await setImmediate();
}

/** Looks as fast as it can, so that no test waits for a clock. */
async function following() {
  const keyring = await made.keyringOf('intake');
  const seen: boolean[] = [];
  const lines: string[] = [];
  const note = (_: unknown, text: string) => void lines.push(text);
  const { stop } = followKeyFiles({
    keyring,
    logger: { info: note, error: note },
    everyMs: 1,
    onLook: (isReadable) => void seen.push(isReadable),
  });
  onTestFinished(stop);
  const peersFile = made.filesOf('intake').peersFile;
  return { keyring, seen, lines, peersFile, stop };
}

const peersOf = (gateway: object) =>
  JSON.stringify({
    gateway,
    intake: made.keys.intake.publicJwks,
    generation: made.keys.generation.publicJwks,
  });

describe('following the key files', () => {
  it('takes a key that was put into the peers file, and no longer one that was taken out', async () => {
    const { keyring, peersFile } = await following();
    const { set } = addKey(made.keys.gateway, 'gateway', 'sig');
    const [, , added] = set.privateJwks.keys;
    const renewed = {
      privateJwks: { keys: [...(added ? [added] : []), ...made.keys.gateway.privateJwks.keys] },
    };
    const gateway = await made.keyringOf('gateway', { ...set, ...renewed });
    const said = gateway.signStatement('t', {});
    const isTaken = () => {
      try {
        return keyring.verifyStatement(said, { type: 't', issuer: 'gateway' }) !== undefined;
      } catch {
        return false;
      }
    };
    expect(isTaken()).toBe(false);
    await writeFile(peersFile, peersOf(set.publicJwks));
    await until(isTaken);
    // As a mounted secret is replaced: another file under the same name.
    await writeFile(`${peersFile}.next`, peersOf(made.keys.gateway.publicJwks));
    await rename(`${peersFile}.next`, peersFile);
    await until(() => !isTaken());
  });

  it('says once that a file cannot be used, goes on, and sees that it is whole again', async () => {
    const { seen, lines, peersFile } = await following();
    await rm(peersFile);
    await until(() => seen.at(-1) === false);
    const looks = seen.length;
    await until(() => seen.length > looks + 3);
    expect(lines).toEqual(['key files invalid, keeping previous keys']);
    await writeFile(peersFile, peersOf(made.keys.gateway.publicJwks));
    await until(() => seen.at(-1) === true);
  });

  it('looks no more once it is stopped', async () => {
    const { seen, stop } = await following();
    await until(() => seen.length > 1);
    await stop();
    const looks = seen.length;
    for (let turn = 0; turn < 50; turn += 1) await setImmediate();
    expect(seen.length).toBe(looks);
  });
});

describe('a service’s keyring', () => {
  it('is followed until the service stops, and its metric says whether the files can be used', async () => {
    await made.keyringOf('intake');
    const metrics = createMetrics({ service: 'intake' });
    const runner = createRunner({ logger, stopTimeoutMs: 5_000 });
    const keyring = await openKeyring(made.filesOf('intake'), 'intake', {
      logger,
      metrics,
      runner,
    });
    expect(await keyring.reread()).toBe(false);
    expect(await metrics.text()).toMatch(/^rubrica_key_files_unreadable(\{[^}]*\})? 0$/m);
    expect((await runner.stop('test')).faults).toEqual([]);
  });
});
