import { buildDocsSite } from '@rubrica/build';
import { operatorProcedures } from '@rubrica/contracts/operators/procedures';
import { operations } from '@rubrica/contracts/rest/operations';
import { HOUR_MS } from '@rubrica/contracts/shared/durations';
import { disposeAfterAll } from '@rubrica/testkit';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { openScene } from '../support/scene.ts';
import { errorsLogged } from '../support/service-logs.ts';
import { damagedCalls, toRaw } from './damage/damaged-calls.ts';
import { prepareExhibits } from './damage/exhibits.ts';
import { type RawCall, sendRaw, serializeCall } from './damage/raw-http.ts';
import { soundCalls } from './damage/sound-calls.ts';

/**
 * `DAMAGED_REQUESTS=30000 DAMAGE_SEED=…`: more of them, and others. Without a seed always the same ones, so that no
 * change fails for what another one did; who looks for faults takes a new seed each time.
 */
const count = Number(process.env.DAMAGED_REQUESTS ?? 3_000);
const seed = Number(process.env.DAMAGE_SEED ?? 630_453_865);
const atOnce = 6;
const chunk = 500;

const port = () => Number(new URL(scene.stack.info().baseUrl).port);
const livingPids = () => Object.values(scene.stack.info().services).map(({ pid }) => pid);

await buildDocsSite();
const scene = await disposeAfterAll(openScene());
const exhibits = await prepareExhibits(scene);

interface Outcome {
  readonly name: string;
  readonly status: number | string;
  readonly sent: string;
  readonly text: string;
}

async function outcomeOf(call: RawCall, isWhole: boolean): Promise<Outcome> {
  const bytes = serializeCall(call);
  const { status = 'none', text } = await sendRaw(port(), bytes, { isWhole }).catch((error: Error) => ({
    status: error.message,
    text: '',
  }));
  return {
    name: call.name,
    status,
    sent: bytes.toString('latin1').slice(0, 1_500),
    text: text.slice(0, 1_500),
  };
}

const isBad = ({ status, text }: Outcome) =>
  typeof status === 'string' ? status !== 'none' : status >= 500 || tellsOfTheProgram.test(text);

const tellsOfTheProgram = /node_modules|\.ts:\d|\.js:\d|ZodError|SyntaxError|TypeError/;

it('begins with calls that every route answers', { timeout: 600_000 }, async () => {
  const answered = new Map<string, (number | string)[]>();
  for (const call of soundCalls(exhibits)) {
    const { name, status } = await outcomeOf(toRaw(call), true);
    answered.set(name, [...(answered.get(name) ?? []), status]);
  }
  const unheard = [...answered].filter(([, statuses]) => statuses.some((one) => typeof one === 'string'));
  expect(unheard).toEqual([]);
  const unasked = [...Object.keys(operations), ...Object.keys(operatorProcedures)].filter(
    (name) => !answered.has(name),
  );
  expect(unasked).toEqual([]);
});

it(`answers none of ${count} damaged requests with 5xx, seed ${seed}`, { timeout: HOUR_MS }, async () => {
  const arbitrary = damagedCalls(soundCalls(exhibits));
  const before = livingPids();
  const statuses = new Map<number | string, number>();
  const bad: Outcome[] = [];
  for (let sent = 0; sent < count; sent += chunk) {
    const numRuns = Math.min(chunk, count - sent);
    const calls = fc.sample(arbitrary, { numRuns, seed: seed + sent }).values();
    const work = async () => {
      for (const call of calls) {
        const outcome = await outcomeOf(call, false);
        statuses.set(outcome.status, (statuses.get(outcome.status) ?? 0) + 1);
        if (isBad(outcome)) bad.push(outcome);
      }
    };
    await Promise.all(Array.from({ length: atOnce }, work));
  }
  process.stdout.write(`seed ${seed}: ${JSON.stringify(Object.fromEntries(statuses))}\n`);
  expect(bad.slice(0, 20), `${bad.length} bad answers; DAMAGE_SEED=${seed} repeats them`).toEqual([]);
  expect(livingPids(), 'no service died').toEqual(before);
  expect(await errorsLogged(scene.stack.home, {}), 'nothing unexpected happened behind the answers').toEqual(
    [],
  );
});
