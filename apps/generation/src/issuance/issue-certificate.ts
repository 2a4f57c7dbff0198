import type { IdentityFieldSettings } from '@rubrica/pki';
import { crashpoint } from '@rubrica/process/crashpoint';
import type { Keyring } from '@rubrica/process/keyring';
import type { Clock } from '@rubrica/process/time';
import type { Peers } from '@rubrica/wiring';
import { bundleDays } from '../bundle/bundle-days.ts';
import { selectCrlShard } from '../certificate/crl-shard.ts';
import { type KeyPools, keyAlgorithmByType } from '../key-pool/key-pools.ts';
import { crashPoints } from './crash-points.ts';
import { IssuanceFailed, wrapIssuanceFailure } from './issuance-failed.ts';
import type { IssuanceLedger } from './issuance-ledger.ts';
import type { IssuanceJob, LeasedIssuance } from './lease-issuance.ts';
import { type CertificatePlan, planCertificate } from './plan-certificate.ts';
import { type Pkcs12Iterations, protectBundle, sealBundle } from './protect-bundle.ts';
import { readOrder, type SignedOrder } from './read-order.ts';
import { drawSerial, rehearse, type SigningContext, signLinted } from './rehearse.ts';
import type { GenerationFaults } from './sandbox-faults.ts';

export interface IssueCertificateDeps {
  readonly intake: Pick<Peers<'generation'>['intake'], 'issuance.order'>;
  readonly keyPool: Pick<KeyPools, 'take'>;
  readonly ledger: IssuanceLedger;
  /** Returns the settings for the next certificate: the active authority changes while the service runs. */
  readonly authoring: () => Omit<SigningContext, 'keyAlgorithm'>;
  readonly keyring: Pick<Keyring, 'sealTo' | 'openText' | 'verifyStatement'>;
  readonly clock: Clock;
  readonly newId: () => string;
  readonly faults: GenerationFaults;
  readonly rules: {
    readonly timeZone: string;
    readonly subjectEmail: boolean;
    readonly privateFields: IdentityFieldSettings['named'];
    readonly bundleRetentionDays: number;
    readonly orderStatements: 'required' | 'accepted';
    readonly iterations: Pkcs12Iterations;
  };
}

/**
 * Issues the certificate of a leased attempt. The steps guarantee: if the process dies at any time, the request has at
 * most one certificate, and every serial number is accounted for.
 * @throws IssuanceFailed: final for this attempt. FenceLost: another worker took over; nothing of this one counts.
 * AppError of intake, which was asked for the order: nothing was started.
 */
export async function issueCertificate(
  deps: IssueCertificateDeps,
  leased: LeasedIssuance,
  orderPromise: Promise<Order>,
): Promise<void> {
  // 1. The attempt is leased. A crash from here on leaves the lease. When it ends, the next start raises the fence, so
  // that a slow worker can no longer write.
  crashpoint(crashPoints.afterLease);
  const order = await orderPromise;
  const fault = deps.faults({ ...order.subject, earlierFailures: leased.earlierFailures });
  if (fault !== undefined) throw new IssuanceFailed(fault, { reason: 'sandbox' });
  const keyAlgorithm = keyAlgorithmByType[order.keyType];
  const authoring: SigningContext = { ...deps.authoring(), keyAlgorithm };
  const plan = createPlan(deps, authoring, order);
  // Key derivation of the password takes longest and depends on no step: it runs in the background until step 7.
  const protection = startInBackground(
    wrapIssuanceFailure('P12_PACKAGING_FAILED', () =>
      protectBundle(order, {
        requestId: leased.requestId,
        iterations: deps.rules.iterations,
        keyring: deps.keyring,
      }),
    ),
  );

  // 2. The key pair. A crash loses it with the memory; nothing refers to it yet.
  const key = await wrapIssuanceFailure('KEY_GENERATION_FAILED', () => deps.keyPool.take(keyAlgorithm));
  crashpoint(crashPoints.afterKey);
  try {
    // 3. The serial number is stored before anything permanent contains it. Only the rehearsal of step 4, which stays
    // in memory, runs in parallel. A crash wastes the number: the next start abandons it.
    const serial = drawSerial();
    const crlShard = selectCrlShard(serial.bytes, authoring.crlShards);
    const rehearsal = startInBackground(
      rehearse(authoring, plan, { serial: serial.bytes, spki: key.spki, crlShard }),
    );
    await deps.ledger.reserveSerial(leased, serial.text);
    crashpoint(crashPoints.afterReserve);

    // 4. The to-be-signed bytes are signed with a throw-away key, linted and stored as intent. The audit row names the
    // statement of intake: after a crash it is known what the authority may have signed, even without a stored
    // certificate.
    const tbs = await rehearsal;
    await deps.ledger.storeIntent(leased, serial.text, { tbs, orderSha256: order.statementSha256 });
    crashpoint(crashPoints.afterIntent);

    // 5. The authority signs. 6. The result is compared with the linted bytes. After a crash the signature may exist,
    // but certificate and key were only in memory: nobody can use them, and the number is abandoned.
    const { issuer } = authoring;
    const certificate = await wrapIssuanceFailure('CERTIFICATE_SIGNING_FAILED', () =>
      signLinted(issuer, tbs),
    );
    crashpoint(crashPoints.afterSign);

    // 7. PKCS#12 and password, sealed to this service, still in memory. A crash has the same outcome as after the
    // signature.
    const { password, write } = await protection;
    const sealedBundle = await wrapIssuanceFailure('P12_PACKAGING_FAILED', async () => {
      const file = await write({
        privateKey: key.pkcs8,
        certificate: certificate.raw,
        chain: issuer.chain,
        friendlyName: plan.subject.find(({ type }) => type === 'commonName')?.value ?? '',
      });
      return sealBundle({ file, password }, { requestId: leased.requestId, keyring: deps.keyring });
    });
    crashpoint(crashPoints.afterPackage);

    // 8. Certificate, bundle, end of the attempt, audit row and event commit together, under the fence and the unique
    // index on valid certificates of a request. A crash before: none of it. A crash after: the job is redelivered and
    // finds its end; the relay publishes the event.
    await deps.ledger.recordIssued(leased, {
      id: deps.newId(),
      partnerId: order.partnerId,
      serial: serial.text,
      issuer: issuer.name,
      crlShard,
      keyAlgorithm,
      plan,
      certificate,
      sealedBundle,
      ...bundleDays(order, deps.rules.bundleRetentionDays),
      issuedAt: deps.clock(),
    });
    crashpoint(crashPoints.afterStore);
    // 9. The caller acknowledges the job.
  } finally {
    key.pkcs8.fill(0);
  }
}

type Order = SignedOrder;

/**
 * Asks intake for the order, and verifies its signature. The call changes nothing there, so it runs in parallel with
 * the lease; without a lease the answer is not used.
 */
export function askForOrder(
  { intake, rules, keyring }: Pick<IssueCertificateDeps, 'intake' | 'rules' | 'keyring'>,
  { requestId, attempt }: IssuanceJob,
): Promise<Order> {
  const question = { requestId, attempt, privateFields: [...rules.privateFields] };
  const { orderStatements } = rules;
  const read = async () => {
    const answer = await intake['issuance.order'](question);
    return readOrder(answer, { ...question, orderStatements }, keyring);
  };
  return startInBackground(read());
}

function createPlan(
  { clock, rules }: IssueCertificateDeps,
  authoring: SigningContext,
  order: Order,
): CertificatePlan {
  return planCertificate(order, {
    now: clock(),
    timeZone: rules.timeZone,
    issuerNotAfter: authoring.issuer.certificate.notAfter.date,
    rucPrefix: authoring.rucPrefix,
    subjectEmail: rules.subjectEmail,
    privateFields: rules.privateFields,
  });
}

/** Starts work that is awaited later. A rejection surfaces there, or is dropped when an earlier step fails. */
function startInBackground<T>(work: Promise<T>): Promise<T> {
  work.catch(() => undefined);
  return work;
}
