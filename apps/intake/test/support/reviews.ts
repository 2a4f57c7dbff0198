import type { Caller } from '@rubrica/contracts/shared/caller';
import { uuidv7 } from '@rubrica/process/time';
import { makeCedula, makePng, pollFor } from '@rubrica/testkit';
import { OperatorEntity } from '../../src/access/operators/operator.entity.ts';
import { changePartner, ownDatabase } from './own-database.ts';
import { asPartner, makeRegistration, partnerIds, runningIntake } from './running-intake.ts';
import { encryptFile } from './seal-files.ts';

/** Needs manual review, in every family (completion, section 10). */
const reviewedCedula = '2450001504';

export const operatorsById = {
  reviewer: '01900000-0000-7000-8000-0000000000b1',
  reviewer2: '01900000-0000-7000-8000-0000000000b2',
  viewer: '01900000-0000-7000-8000-0000000000b3',
  admin: '01900000-0000-7000-8000-0000000000a1',
} as const;
export type OperatorKey = keyof typeof operatorsById;

export function fault(appCode: string) {
  return { data: { appCode } };
}

function callerOf(key: OperatorKey): Caller {
  return {
    kind: 'operator',
    operatorId: operatorsById[key],
    email: `${key}@example.com`,
    role: key === 'reviewer2' ? 'reviewer' : key,
  };
}

export type ReviewGround = Awaited<ReturnType<typeof reviewGround>>;

/** Intake with reviewers, a partner that agreed to four eyes (`other`), and a clock that the test moves. */
export async function reviewGround(env: Record<string, string> = {}) {
  await using owned = new AsyncDisposableStack();
  let aheadMs = 0;
  let stoodAt: number | undefined;
  const clock = () => new Date((stoodAt ?? Date.now()) + aheadMs);
  const intake = owned.use(await runningIntake(env, { clock }));
  await using own = await ownDatabase(intake.ground);
  for (const [key, role] of [
    ['reviewer', 'reviewer'],
    ['reviewer2', 'reviewer'],
    ['viewer', 'viewer'],
  ] as const)
    await own.database.transaction(async (em) => {
      const created = { passwordHash: 'none', enabled: true, createdAt: new Date() };
      em.create(OperatorEntity, { id: operatorsById[key], email: `${key}@example.com`, role, ...created });
    });
  const setPolicy = (partner: keyof typeof partnerIds, policy: string) =>
    changePartner(intake.ground, partnerIds[partner], { reviewPolicy: policy });
  await setPolicy('other', 'four-eyes');
  const { keyring } = await intake.ground.peer('gateway');
  const held = owned.move();
  const statusOf = (requestId: string, partner: keyof typeof partnerIds = 'sandbox') =>
    intake.client(asPartner(partner)).requests.status.query({ family: 'TV', requestId });
  return {
    intake,
    keyring,
    clock,
    setPolicy,
    statusOf,
    pass: (ms: number) => {
      aheadMs += ms;
    },
    /**
     * Until it is disposed, the clock stands and intake goes on remembering the operator as he is now, however long the
     * test takes: what becomes of a decision is then up to the decision itself.
     */
    async remembering(key: OperatorKey): Promise<Disposable> {
      stoodAt = Date.now();
      await intake.operators(callerOf(key)).reviews.queue.query({ limit: 1 });
      return {
        [Symbol.dispose]: () => {
          stoodAt = undefined;
        },
      };
    },
    as: (key: OperatorKey) => intake.operators(callerOf(key)).reviews,
    open: intake.client({ kind: 'service', name: 'gateway' }).reviews.openEvidence,
    partner: (key: keyof typeof partnerIds) => intake.client(asPartner(key)).requests,
    /** A request of the linked-partner family that waits for a person. */
    async waiting(
      partner: keyof typeof partnerIds = 'sandbox',
      rest: Parameters<typeof makeRegistration>[1] = {},
    ): Promise<string> {
      const input = makeRegistration({ identificationNumber: reviewedCedula }, rest);
      await intake.client(asPartner(partner)).requests.register.mutate(input);
      const { requestId } = input;
      await pollFor(
        async () => (await statusOf(requestId, partner)).validationStatus === 'MANUALLY_VALIDATING',
      );
      return requestId;
    },
    /** A regular request, which the partner's policy alone may send to a person. */
    async regular(partner: keyof typeof partnerIds): Promise<string> {
      const { files: _, ...input } = makeRegistration({ identificationNumber: makeCedula() });
      const { email, ...fields } = input.fields;
      const regular = {
        ...input,
        family: 'FR' as const,
        fields: { ...fields, emailAddress: email, province: 'Pichincha', countryCode: 'ECU' },
        files: [
          { field: 'identificationFront', mediaType: 'image/png' },
          { field: 'identificationBack', mediaType: 'image/png' },
          { field: 'identificationSelfie', mediaType: 'image/png' },
        ],
        sealedPassword: undefined,
      };
      await intake.client(asPartner(partner)).requests.register.mutate(regular as never);
      return input.requestId;
    },
    /** Evidence as the gateway would hand it in: its key is sealed to intake. */
    async evidence(requestId: string, key: Buffer) {
      const evidenceId = uuidv7();
      const { content, ...sizes } = encryptFile(key, makePng());
      return {
        evidenceId,
        content,
        bundle: {
          key: await keyring.sealTo('intake', key, { purpose: 'evidence-key', owner: requestId }),
          items: [
            {
              evidenceId,
              evidenceType: 'SELFIE' as const,
              file: {
                mediaType: 'image/png',
                ...sizes,
                content,
              },
            },
          ],
          errors: [],
        },
      };
    },
    auditOf: (requestId: string) =>
      intake.query<{
        actor: string;
        action: string;
        reason: string | null;
        details: Record<string, unknown>;
      }>('select actor, action, reason, details from intake.audit where target = $1 order by id', [
        `request:${requestId}`,
      ]),
    eventsOf: (requestId: string) =>
      intake.query<{ type: string; message: string | null }>(
        'select type, message from intake.webhook_event where request_id = $1 order by occurred_at, id',
        [requestId],
      ),
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  };
}
