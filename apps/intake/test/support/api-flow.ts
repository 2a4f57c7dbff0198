import { randomBytes } from 'node:crypto';
import type * as apiFlowContract from '@rubrica/contracts/services/schemas/api-flow';
import type * as requestsContract from '@rubrica/contracts/services/schemas/requests';
import { uuidv7 } from '@rubrica/process/time';
import { makePdf, makePng } from '@rubrica/testkit';
import { type ClaimGround, claimGround, fault } from './claims.ts';
import { asPartner, makeRegistration } from './running-intake.ts';
import { encryptFile } from './seal-files.ts';

export const notDue = fault('REQUEST_STATE_NOT_ALLOWED');

export const mediaTypes = {
  identificationFront: 'image/png',
  identificationBack: 'image/png',
  identificationSelfie: 'image/png',
} as const;

export type FlowGround = Awaited<ReturnType<typeof flowGround>>;

/** Intake, terms that are in force, and the steps of the flow as the gateway calls them. */
export async function flowGround(existing?: ClaimGround) {
  await using owned = new AsyncDisposableStack();
  const ground = existing ?? owned.use(await claimGround());
  const { intake } = ground;
  const { keyring } = await intake.ground.peer('gateway');
  const terms = ground.terms.activate('1.0');
  const held = owned.move();
  const as = (partner: Parameters<typeof asPartner>[0] = 'sandbox') => intake.client(asPartner(partner));

  const makeFlow = (
    fields: Record<string, string | undefined> = {},
    rest: Partial<requestsContract.RegisterInput> = {},
  ) =>
    makeRegistration(
      { certificateType: undefined, fingerCode: 'A1234B5678', termsAndConditionsId: terms.id, ...fields },
      {
        family: 'API',
        sealedPassword: undefined,
        evidence: undefined,
        acceptance: { language: 'en', remoteAddress: '192.0.2.9', userAgent: 'A partner' },
        ...rest,
      },
    );

  /** Files as the gateway hands them on, each under its field. */
  const sealIdentity = async (
    requestId: string,
    types: Readonly<Record<string, string>> = mediaTypes,
    contents: Readonly<Record<string, Buffer>> = {},
  ) => {
    const key = randomBytes(32);
    const items = Object.entries(types).map(([field, mediaType]) => {
      const { content, ...sizes } = encryptFile(
        key,
        contents[field] ?? (mediaType === 'application/pdf' ? makePdf() : makePng()),
      );
      const file = { mediaType, ...sizes, content };
      return { evidenceId: uuidv7(), field, file };
    });
    const binding = { purpose: 'evidence-key', owner: requestId } as const;
    return {
      files: Object.entries(types).map(([field, mediaType]) => ({ field, mediaType })),
      evidence: { key: await keyring.sealTo('intake', key, binding), items, errors: [] },
    };
  };

  const identity = async (
    requestId: string,
    overrides: Partial<apiFlowContract.ValidateIdentityInput> & {
      types?: Record<string, string>;
      contents?: Record<string, Buffer>;
    } = {},
  ) => {
    const { types, contents, ...rest } = overrides;
    const input = {
      requestId,
      callId: uuidv7(),
      faults: [],
      ...(await sealIdentity(requestId, types, contents)),
      ...rest,
    };
    return as().signature.validateIdentity.mutate(input);
  };
  const session = (requestId: string) => ({ purpose: 'liveness-session', owner: requestId }) as const;
  /** As the partner is answered. */
  const liveness = async (requestId: string) => {
    const { sealedSession, ...rest } = await as().signature.requestLiveness.mutate({ requestId });
    return { ...rest, livenessSessionId: await keyring.openText(sealedSession, session(requestId)) };
  };
  const check = async (requestId: string, livenessSessionId: string) => {
    const sealedSession = await keyring.sealTo('intake', livenessSessionId, session(requestId));
    return as().signature.checkLiveness.mutate({ requestId, sealedSession });
  };
  const issue = (requestId: string, sealedPassword?: string) =>
    as().signature.issue.mutate({ requestId, ...(sealedPassword && { sealedPassword }) });
  const register = async (
    fields: Record<string, string | undefined> = {},
    rest: Partial<requestsContract.RegisterInput> = {},
  ) => (await as().requests.register.mutate(makeFlow(fields, rest))).requestId;
  const prove = async (requestId: string) => check(requestId, (await liveness(requestId)).livenessSessionId);

  return {
    ...ground,
    /** As generation says it. */
    tellIssued: ground.issue,
    terms,
    termsService: ground.terms,
    keyring,
    as,
    makeFlow,
    sealIdentity,
    register,
    identity,
    liveness,
    check,
    prove,
    issue,
    statusOf: (requestId: string) => as().requests.status.query({ family: 'API', requestId }),
    /** A request that waits for its issuance. */
    async approved(fields: Record<string, string | undefined> = {}) {
      const requestId = await register(fields);
      await identity(requestId);
      await prove(requestId);
      return requestId;
    },
    rowOf: async (requestId: string) => {
      const sql = 'select * from intake.request where id = $1';
      return (await intake.query(sql, [requestId]))[0] as Record<string, unknown>;
    },
    eventsOf: (requestId: string) =>
      intake.query<{ type: string; message: string | null }>(
        'select type, message from intake.webhook_event where request_id = $1 order by occurred_at',
        [requestId],
      ),
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  };
}
