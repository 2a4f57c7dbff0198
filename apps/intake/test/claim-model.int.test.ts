import { DAY_MS, HOUR_MS, MINUTE_MS } from '@rubrica/contracts/shared/durations';
import { disposeAfterAll } from '@rubrica/testkit';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type ClaimGround, claimGround, otherThan } from './support/claims.ts';

const ground = await disposeAfterAll(claimGround({ CLAIM_CODE_INTERVAL_SECONDS: '20' }));

const commands = [
  'sendCode',
  'claimRight',
  'claimWrong',
  'downloadRight',
  'downloadWrong',
  'issue',
  'cancel',
  'wait11s',
  'wait67s',
  'wait311s',
  'wait5h',
] as const;
type Command = (typeof commands)[number];
const waits: { readonly [C in Command]?: number } = {
  wait11s: 11_000,
  wait67s: 67_000,
  wait311s: 311_000,
  wait5h: 5 * HOUR_MS,
};

interface ModelCode {
  readonly atMs: number;
  readonly value: string;
  readonly purpose: 'claim' | 'download';
  wrong: number;
  used: boolean;
}
type State = 'OPEN' | 'IN_PROGRESS' | 'ISSUED' | 'ENDED';
interface Model {
  state: State;
  readonly codes: ModelCode[];
}

function purposeOf(state: State) {
  return { OPEN: 'claim', ISSUED: 'download' }[state as 'OPEN'] as ModelCode['purpose'] | undefined;
}

/** The rules once more, as one would tell them, to hold the service against. */
function expectedSend({ state, codes }: Model, nowMs: number): string {
  if (!purposeOf(state)) return 'REQUEST_STATE_NOT_ALLOWED';
  const within = (ms: number) => codes.filter(({ atMs }) => nowMs - atMs < ms);
  if (within(DAY_MS).reduce((sum, { wrong }) => sum + wrong, 0) >= 15) return 'OTP_ATTEMPTS_EXCEEDED';
  const last = codes.at(-1);
  if (within(HOUR_MS).length >= 5) return 'RATE_LIMITED';
  return last && !last.used && nowMs - last.atMs < 20_000 ? 'RATE_LIMITED' : 'ok';
}

function expectedTry({ state, codes }: Model, right: boolean, nowMs: number): string {
  const recent = codes.filter(({ atMs }) => nowMs - atMs < DAY_MS);
  if (recent.reduce((sum, { wrong }) => sum + wrong, 0) >= 15) return 'OTP_ATTEMPTS_EXCEEDED';
  const code = recent.at(-1);
  if (!code || code.used || code.purpose !== purposeOf(state) || nowMs - code.atMs >= 5 * MINUTE_MS)
    return 'OTP_EXPIRED';
  if (code.wrong >= 5) return 'OTP_ATTEMPTS_EXCEEDED';
  return right ? 'ok' : 'OTP_INVALID';
}

function outcomeOf(call: Promise<unknown>): Promise<string> {
  return call.then(
    () => 'ok',
    (error: { data?: { appCode?: string } }) => error.data?.appCode ?? String(error),
  );
}

function noteTry({ codes }: Model, outcome: string): void {
  const code = codes.at(-1);
  if (code && outcome === 'OTP_INVALID') code.wrong += 1;
  if (code && outcome === 'ok') code.used = true;
}

type Link = Awaited<ReturnType<ClaimGround['approved']>>;

async function send(link: Link, model: Model): Promise<void> {
  const expected = expectedSend(model, ground.clock().getTime());
  const { sealedToken, requestId } = link;
  let expiresAt = '';
  const sent = ground.claims.sendCode.mutate({ sealedToken, language: 'es' }).then((answer) => {
    ({ expiresAt } = answer);
  });
  expect(await outcomeOf(sent)).toBe(expected);
  if (expected !== 'ok') return;
  const purpose = purposeOf(model.state) as ModelCode['purpose'];
  const value = await ground.secretOf(requestId, `${purpose}-code`);
  const atMs = new Date(expiresAt).getTime() - 5 * MINUTE_MS;
  model.codes.push({ atMs, value, purpose, wrong: 0, used: false });
}

function guess({ codes }: Model, right: boolean): string {
  const value = codes.at(-1)?.value ?? '123456';
  return right ? value : otherThan(value);
}

async function claim(link: Link, model: Model, right: boolean): Promise<void> {
  const expected = () => {
    if (model.state === 'ENDED') return 'REQUEST_STATE_NOT_ALLOWED';
    return model.state === 'OPEN' ? expectedTry(model, right, ground.clock().getTime()) : 'ok';
  };
  const wanted = expected();
  expect(await outcomeOf(ground.claim(link, guess(model, right)))).toBe(wanted);
  if (model.state !== 'OPEN') return;
  noteTry(model, wanted);
  if (wanted === 'ok') model.state = 'IN_PROGRESS';
}

async function download(link: Link, model: Model, right: boolean): Promise<void> {
  const open = model.state === 'ISSUED';
  const wanted = open ? expectedTry(model, right, ground.clock().getTime()) : 'REQUEST_STATE_NOT_ALLOWED';
  const { token, sealedToken } = link;
  const sealedCode = await ground.seal(guess(model, right), token);
  expect(await outcomeOf(ground.claims.openDownload.mutate({ sealedToken, sealedCode }))).toBe(wanted);
  if (open) noteTry(model, wanted);
}

async function run(command: Command, link: Link, model: Model): Promise<void> {
  const { requestId } = link;
  if (command === 'sendCode') return send(link, model);
  if (command === 'claimRight' || command === 'claimWrong')
    return claim(link, model, command === 'claimRight');
  if (command === 'downloadRight' || command === 'downloadWrong')
    return download(link, model, command === 'downloadRight');
  if (command === 'issue') {
    if (model.state !== 'IN_PROGRESS') return;
    await ground.issue(requestId);
    await ground.reaches(requestId, 'GENERATED');
    model.state = 'ISSUED';
    return;
  }
  if (command === 'cancel') {
    const cancelled = ground.otp.cancel.mutate({ family: 'TV', requestId, faults: [] });
    expect(await outcomeOf(cancelled)).toBe(model.state === 'OPEN' ? 'ok' : 'REQUEST_STATE_NOT_ALLOWED');
    if (model.state === 'OPEN') model.state = 'ENDED';
    return;
  }
  ground.pass(waits[command] ?? 0);
}

it('whatever an applicant does, in any order, ends as the rules say', {
  timeout: 300_000,
}, async () => {
  // Codes and tries more often than ends: else most runs are over before they have begun.
  const weights: { readonly [C in Command]?: number } = {
    sendCode: 6,
    claimWrong: 6,
    downloadWrong: 3,
    wait67s: 3,
    cancel: 1,
  };
  const command = fc.oneof(
    ...commands.map((one) => ({ arbitrary: fc.constant(one), weight: weights[one] ?? 2 })),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(command, { minLength: 10, maxLength: 40 }), async (sequence) => {
      const link = await ground.approved({ certificateType: 'TRANSACTIONAL_SIGNATURE', period: undefined });
      const model: Model = { state: 'OPEN', codes: [] };
      for (const one of sequence) await run(one, link, model);
      expect((await ground.claims.view.query(link)).state).toBe(model.state);
      const claims = (await ground.timelineOf(link.requestId)).filter((trigger) => trigger === 'claim');
      expect(claims).toHaveLength(model.state === 'OPEN' || model.state === 'ENDED' ? 0 : 1);
    }),
    { numRuns: 40 },
  );
});
