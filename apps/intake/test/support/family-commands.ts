import { DAY_MS } from '@rubrica/contracts/shared/durations';
import type { Family } from '@rubrica/contracts/shared/enumerations';
import { makeReference, pollFor } from '@rubrica/testkit';
import fc from 'fast-check';
import type { FlowGround } from './api-flow.ts';
import { makeCorrection, makeRegular } from './regular.ts';
import { asPartner, makeRegistration } from './running-intake.ts';

/** A kind of request: its family, whose it is, and whom the sandbox takes its applicant for. */
export interface Example {
  readonly family: Family;
  readonly partner: 'sandbox' | 'otp' | 'other';
  /** A row of the sandbox's table, or nobody in particular. */
  readonly cedula: string | undefined;
}

interface Subject {
  readonly one: Example;
  readonly requestId: string;
}

type Step = (ground: FlowGround, subject: Subject) => Promise<unknown>;

/** Normal; wrong fingerprint code; down always, and once; underage; unknown; other name; to be reviewed. */
const cedulas = [
  undefined,
  '2450000704',
  '2450000902',
  '2450001009',
  '2450000407',
  '2450000605',
  '2450000803',
  '2450001504',
];
const kinds = [
  { family: 'TV', partner: 'sandbox' },
  { family: 'TV', partner: 'otp' },
  { family: 'FT', partner: 'sandbox' },
  { family: 'FS', partner: 'other' },
  { family: 'FR', partner: 'sandbox' },
  { family: 'FR', partner: 'other' },
] as const;
/** Those again whose proof of life fails, or shows another face. */
const stepwise = [...cedulas, '2450001603', '2450001702'];
export const examples: readonly Example[] = [
  ...kinds.flatMap((kind) => cedulas.map((cedula) => ({ ...kind, cedula }))),
  ...stepwise.map((cedula) => ({ family: 'API', partner: 'sandbox', cedula }) as const),
];

function requestsOf({ intake }: FlowGround, { partner }: Example) {
  return intake.client(asPartner(partner)).requests;
}

/** Only drawn for families that have the operation. */
function own<F extends Family>({ one, requestId }: Subject, ..._families: F[]) {
  return {
    family: one.family as F,
    requestId,
  };
}

const bodies: { readonly [F in Family]?: Record<string, string | undefined> } = {
  FT: { certificateType: undefined, period: undefined },
  FS: {
    emailAddress: 'jane@mail.com',
    email: undefined,
    applicantName: undefined,
    applicantLastName: undefined,
    applicantSecondLastName: undefined,
  },
};

export async function register(ground: FlowGround, one: Example): Promise<string> {
  if (one.family === 'FR') return registerRegular(ground, one);
  if (one.family === 'API') return ground.register(one.cedula ? { identificationNumber: one.cedula } : {});
  const fields = {
    ...bodies[one.family],
    referenceTransaction: makeReference(),
    fingerCode: 'A1234B5678',
    ...(one.cedula && { identificationNumber: one.cedula }),
  };
  const holdsPassword = one.partner !== 'otp' && one.family !== 'FS';
  const input = makeRegistration(fields, {
    family: one.family,
    ...(!holdsPassword && { sealedPassword: undefined }),
    ...(one.family !== 'TV' && { evidence: undefined }),
  });
  await requestsOf(ground, one).register.mutate(input);
  return input.requestId;
}

async function registerRegular(ground: FlowGround, one: Example): Promise<string> {
  const { cedula } = one;
  const input = makeRegular({ fingerCode: 'A1234B5678', ...(cedula && { identificationNumber: cedula }) });
  await requestsOf(ground, one).register.mutate(input);
  return input.requestId;
}

interface Now {
  readonly status: string;
  readonly validationStatus: string;
  readonly validationAttempt: number;
  readonly generationAttempt: number;
}
async function nowOf({ intake }: FlowGround, requestId: string): Promise<Now> {
  const [row] = await intake.query<Now>(
    `select status, validation_status as "validationStatus", validation_attempt as "validationAttempt",
       generation_attempt as "generationAttempt" from intake.request where id = $1`,
    [requestId],
  );
  return row as Now;
}

function isAtWork({ status, validationStatus }: Now, { family }: Example) {
  return (
    family !== 'API' &&
    (status === 'REGISTERED' || (status === 'VALIDATING' && validationStatus !== 'MANUALLY_VALIDATING'))
  );
}

/** Until validation has said its word. */
const settle: Step = (ground, { one, requestId }) =>
  pollFor(async () => !isAtWork(await nowOf(ground, requestId), one), {
    what: 'the validation is over',
    deadlineMs: 60_000,
  });

const retry: Step = (ground, subject) =>
  requestsOf(ground, subject.one).retry.mutate({ ...own(subject, 'TV'), corrections: {}, faults: [] });
const retryCorrected: Step = (ground, subject) =>
  requestsOf(ground, subject.one).retry.mutate({
    ...own(subject, 'TV'),
    corrections: { fingerCode: 'V4333V2222' },
    faults: [],
  });
const correct =
  (correction: Parameters<typeof makeCorrection>[1]): Step =>
  (ground, { one, requestId }) =>
    requestsOf(ground, one).correct.mutate(makeCorrection(requestId, correction));
const cancel: Step = (ground, subject) =>
  requestsOf(ground, subject.one).cancel.mutate({ ...own(subject, 'TV', 'FS'), faults: [] });
const resend: Step = (ground, subject) =>
  requestsOf(ground, subject.one).resendLink.mutate({ ...own(subject, 'TV'), faults: [] });

/** Two of them, so that four eyes can be had. */
function operatorsOf({ intake }: FlowGround, which: 1 | 2 = 1) {
  return intake.operators({
    kind: 'operator',
    operatorId: `01900000-0000-7000-8000-0000000000a${which}`,
    email: `operator${which}@example.com`,
    role: 'admin',
  });
}

const approveAs =
  (which: 1 | 2): Step =>
  (ground, { requestId }) =>
    operatorsOf(ground, which).reviews.approve.mutate({ requestId });
const reject: Step = (ground, { requestId }) =>
  operatorsOf(ground).reviews.reject.mutate({ requestId, codes: ['REVIEW_REJECTED'] });
const askForCorrection: Step = (ground, { requestId }) =>
  operatorsOf(ground).reviews.requestCorrection.mutate({ requestId, codes: ['FINGER_CODE_MISMATCH'] });
const rerun: Step = (ground, { requestId }) => operatorsOf(ground).requests.rerun.mutate({ requestId });
const cancelByOperator: Step = (ground, { requestId }) =>
  operatorsOf(ground).requests.cancel.mutate({ requestId });

const claim: Step = async (ground, { requestId }) => {
  const token = await ground.findSecret(requestId, 'claim');
  if (token === undefined) return;
  const sealedToken = await ground.sealToken(token);
  await ground.claims.sendCode.mutate({ sealedToken, language: 'en' });
  const code = await ground.findSecret(requestId, 'claim-code');
  if (code !== undefined) await ground.claim({ token, sealedToken }, code, { termsId: ground.terms.id });
};

const report =
  (said: 'DISPUTED' | 'DATA_WRONG'): Step =>
  async (ground, { requestId }) => {
    const token = await ground.findSecret(requestId, 'claim');
    if (token === undefined) return;
    await ground.claims.report.mutate({ sealedToken: await ground.sealToken(token), report: said });
  };

const identity: Step = (ground, { requestId }) => ground.identity(requestId);
const requestLiveness: Step = (ground, { requestId }) => ground.liveness(requestId);
const prove: Step = (ground, { requestId }) => ground.prove(requestId);
const order: Step = (ground, { requestId }) => ground.issue(requestId);

function issueAttempt(ground: FlowGround, requestId: string, attempt: number) {
  return attempt < 1 ? Promise.resolve() : ground.tellIssued(requestId, attempt);
}

/** Only what was ordered can come out. */
const issue: Step = async (ground, { requestId }) => {
  const { status, generationAttempt } = await nowOf(ground, requestId);
  if (status === 'GENERATING') await issueAttempt(ground, requestId, generationAttempt);
};
const issueTwice: Step = async (ground, subject) => {
  await Promise.all([issue(ground, subject), issue(ground, subject)]);
};
const failGeneration: Step = async ({ intake, ...ground }, { requestId }) => {
  const { generationAttempt } = await nowOf({ intake, ...ground }, requestId);
  if (generationAttempt < 1) return;
  await intake.tell('events.certificate.failed', {
    requestId,
    attempt: generationAttempt,
    code: 'KEY_GENERATION_FAILED',
  });
};
/** A word of an attempt that was overtaken, late. */
const failEarlier: Step = async ({ intake, ...ground }, { requestId }) => {
  const attempt = (await nowOf({ intake, ...ground }, requestId)).generationAttempt - 1;
  if (attempt < 1) return;
  await intake.tell('events.certificate.failed', { requestId, attempt, code: 'KEY_GENERATION_FAILED' });
};

const pass =
  (days: number): Step =>
  async (ground) => {
    ground.pass(days * DAY_MS);
    await ground.sweep();
  };

const steps = {
  settle,
  rerun,
  cancelByOperator,
  issue,
  issueTwice,
  failGeneration,
  failEarlier,
  sweep: pass(0),
  passDay: pass(1),
  passWindow: pass(51),
  retry,
  retryCorrected,
  correctNothing: correct({}),
  correctCode: correct({ corrections: { fingerCode: 'V4333V2222' } }),
  correctSelfie: correct({ files: { identificationSelfie: 'image/png' } }),
  cancel,
  resend,
  claim,
  dispute: report('DISPUTED'),
  reportWrongData: report('DATA_WRONG'),
  correctContact: correct({ corrections: { emailAddress: 'jane@other.ec' } }),
  approve: approveAs(1),
  approveAsAnother: approveAs(2),
  reject,
  askForCorrection,
  identity,
  requestLiveness,
  prove,
  order,
} satisfies Record<string, Step>;
export type Command = keyof typeof steps;

const everywhere = {
  settle: 8,
  rerun: 2,
  cancelByOperator: 1,
  sweep: 2,
  passDay: 1,
  passWindow: 1,
  approve: 2,
  approveAsAnother: 2,
  reject: 1,
  askForCorrection: 1,
} as const;
const reports = { dispute: 1, reportWrongData: 2 } as const;
const generated = { issue: 3, issueTwice: 2, failGeneration: 3, failEarlier: 1 } as const;

/** How often each command is drawn; a family's own operations are those that the interface gives it. */
const weights: { readonly [F in Family]: { readonly [C in Command]?: number } } = {
  TV: {
    ...everywhere,
    ...generated,
    retry: 4,
    retryCorrected: 3,
    cancel: 1,
    resend: 2,
    claim: 4,
    ...reports,
  },
  FT: { ...everywhere, ...generated },
  FS: { ...everywhere, ...generated, cancel: 1, claim: 4, ...reports },
  FR: {
    ...everywhere,
    ...generated,
    ...reports,
    claim: 4,
    correctContact: 2,
    correctNothing: 3,
    correctCode: 3,
    correctSelfie: 2,
  },
  API: { ...everywhere, ...generated, identity: 8, requestLiveness: 2, prove: 8, order: 6 },
};

export function commandsOf({ family }: Example): fc.Arbitrary<Command> {
  return fc.oneof(
    ...(Object.entries(weights[family]) as [Command, number][]).map(([command, weight]) => ({
      arbitrary: fc.constant(command),
      weight,
    })),
  );
}

/** A refusal is an answer; anything else is a fault of the service. */
const refusals = new Set([
  'REQUEST_STATE_NOT_ALLOWED',
  'REQUEST_NOT_FOUND',
  'FIELD_INVALID',
  'FIELD_REQUIRED',
  'FIELD_NOT_CORRECTABLE',
  'RATE_LIMITED',
  'RESEND_LIMIT_EXCEEDED',
  'CLAIM_LINK_INVALID',
  'CLAIM_LINK_EXPIRED',
  'OTP_INVALID',
  'OTP_EXPIRED',
  'OTP_ATTEMPTS_EXCEEDED',
  'EXTERNAL_SERVICE_UNAVAILABLE',
  'LIVENESS_ATTEMPTS_EXCEEDED',
  'FORBIDDEN',
]);

export async function run(ground: FlowGround, subject: Subject, command: Command): Promise<void> {
  try {
    await steps[command](ground, subject);
  } catch (error) {
    const code = (error as { data?: { appCode?: string } }).data?.appCode;
    if (code === undefined || !refusals.has(code)) throw error;
  }
}

/** Lets a request end by itself, with everybody doing what they should and time passing. */
export async function end(ground: FlowGround, subject: Subject): Promise<void> {
  const { one, requestId } = subject;
  for (let round = 0; round < 12; round += 1) {
    const now = await nowOf(ground, requestId);
    if (['GENERATED', 'REFUSED', 'CANCELLED', 'EXPIRED'].includes(now.status)) return;
    if (now.status === 'GENERATING') {
      await issueAttempt(ground, requestId, now.generationAttempt);
      await pollFor(async () => (await nowOf(ground, requestId)).status !== 'GENERATING', { what: 'issued' });
    } else if (now.validationStatus === 'MANUALLY_VALIDATING') {
      await run(ground, subject, 'cancelByOperator');
    } else if (isAtWork(now, one)) await settle(ground, subject);
    else await run(ground, subject, 'passWindow');
  }
}
