import { type IdentityFieldSettings, type Pkcs12Writer, preparePkcs12 } from '@rubrica/pki';
import { type Clock, crashpoint, type Keyring } from '@rubrica/process';
import type { Peers } from '@rubrica/wiring';
import { bundleDays } from '../bundle/bundle-days.ts';
import { crlShardOf } from '../certificate/crl-shard.ts';
import { crashPoints } from '../crash-points.ts';
import { algorithmOf, type KeyPools } from '../key-pool/key-pools.ts';
import { bundlePassword } from './bundle-password.ts';
import { failingAs, IssuanceFailed } from './issuance-failed.ts';
import type { IssuanceLedger } from './issuance-ledger.ts';
import type { IssuanceJob, LeasedIssuance } from './lease-issuance.ts';
import { iterationsFor, type Pkcs12Iterations } from './pkcs12-iterations.ts';
import { type CertificatePlan, planCertificate } from './plan-certificate.ts';
import { readOrder, type SignedOrder } from './read-order.ts';
import { type Authoring, drawSerial, rehearse, signLinted } from './rehearse.ts';
import type { GenerationFaults } from './sandbox-faults.ts';

export interface IssueCertificateDeps {
  readonly intake: Pick<Peers<'generation'>['intake'], 'issuance.order'>;
  readonly keyPool: Pick<KeyPools, 'take'>;
  readonly ledger: IssuanceLedger;
  /** As the next certificate shall be written: the active authority changes while the service runs. */
  readonly authoring: () => Omit<Authoring, 'keyAlgorithm'>;
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
 * Issues the certificate of an attempt that is leased. The steps keep this promise: whenever the process dies, the
 * request has no certificate or one, and every serial number is accounted for.
 * @throws IssuanceFailed: final for this attempt. FenceLost: another worker has taken over; nothing of this one counts.
 *   AppError of intake, which was asked for the order: nothing was begun.
 */
export async function issueCertificate(
  deps: IssueCertificateDeps,
  leased: LeasedIssuance,
  asked: Promise<Order>,
): Promise<void> {
  // 1. The attempt is leased. A crash from here on leaves the lease; when it ends, the next start raises the fence,
  //    so that a worker that was only slow can no longer write.
  crashpoint(crashPoints.afterLease);
  const order = await asked;
  const fault = deps.faults({ ...order.subject, earlierFailures: leased.earlierFailures });
  if (fault !== undefined) throw new IssuanceFailed(fault, { reason: 'sandbox' });
  const keyAlgorithm = algorithmOf[order.keyType];
  const authoring: Authoring = { ...deps.authoring(), keyAlgorithm };
  const plan = planFor(deps, authoring, order);
  // What a password is made into takes longest and waits for nothing: it goes on beside the steps up to 7.
  const protection = begun(failingAs('P12_PACKAGING_FAILED', () => protectBundle(deps, leased, order)));

  // 2. The key pair. A crash loses it with the memory it was in; nothing refers to it yet.
  const key = await failingAs('KEY_GENERATION_FAILED', () => deps.keyPool.take(keyAlgorithm));
  crashpoint(crashPoints.afterKey);
  try {
    // 3. The serial number is written down before it stands in anything that is kept; only the rehearsal of step 4,
    //    which nobody sees, begins beside it. A crash wastes the number: the next start abandons it.
    const serial = drawSerial();
    const crlShard = crlShardOf(serial.bytes, authoring.crlShards);
    const rehearsal = begun(rehearse(authoring, plan, { serial: serial.bytes, spki: key.spki, crlShard }));
    await deps.ledger.reserveSerial(leased, serial.text);
    crashpoint(crashPoints.afterReserve);

    // 4. What will be signed is signed with a throw-away key, linted, and stored as intent with its audit row, which names
    //    the statement of intake that it is issued from: after a crash it is known what the authority may have signed, even where no certificate was kept.
    const tbs = await rehearsal;
    await deps.ledger.storeIntent(leased, serial.text, { tbs, orderSha256: order.statementSha256 });
    crashpoint(crashPoints.afterIntent);

    // 5. The authority signs. 6. What came back is compared with what was linted. After a crash the signature may
    //    exist, but certificate and key were in memory alone: nobody can use them, and the number is abandoned.
    const { issuer } = authoring;
    const certificate = await failingAs('CERTIFICATE_SIGNING_FAILED', () => signLinted(issuer, tbs));
    crashpoint(crashPoints.afterSign);

    // 7. PKCS#12 and password, sealed to this service. Still in memory alone: a crash is as after the signature.
    const { password, write } = await protection;
    const sealedBundle = await failingAs('P12_PACKAGING_FAILED', async () => {
      const file = await write({
        privateKey: key.pkcs8,
        certificate: certificate.raw,
        chain: issuer.chain,
        friendlyName: plan.subject.find(({ type }) => type === 'commonName')?.value ?? '',
      });
      return sealBundle(deps, leased, { file, password });
    });
    crashpoint(crashPoints.afterPackage);

    // 8. Certificate, bundle, end of the attempt, audit row and event commit together, under the fence and the index
    //    that allows one live certificate per request. A crash before: none of it. After: the job comes again and
    //    finds its end, the relay publishes the event.
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
 * Asks intake what to issue, and verifies that intake has signed it. It changes nothing there, so it goes on beside the lease;
 * without one the answer is not used.
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
  return begun(read());
}

function planFor(
  { clock, rules }: IssueCertificateDeps,
  authoring: Authoring,
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

/** What the applicant opens the file with, and what is derived from it, which one file is written with. */
async function protectBundle(
  { keyring, rules }: IssueCertificateDeps,
  { requestId: owner }: LeasedIssuance,
  order: Order,
): Promise<{ password: string; write: Pkcs12Writer }> {
  const password = await bundlePassword(order, (sealed) =>
    keyring.openText(sealed, { purpose: 'certificate-password', owner }),
  );
  const encoding = order.legacyPkcs12 ? 'legacy' : 'modern';
  const iterations = iterationsFor(order, rules.iterations);
  return { password, write: await preparePkcs12({ password, encoding, iterations }) };
}

/** JSON `{file, password}`: base64 of the PKCS#12, and what opens it. */
function sealBundle(
  { keyring }: IssueCertificateDeps,
  { requestId: owner }: LeasedIssuance,
  { file, password }: { file: Uint8Array; password: string },
): Promise<string> {
  return keyring.sealTo(
    'generation',
    JSON.stringify({ file: Buffer.from(file).toString('base64'), password }),
    { purpose: 'bundle', owner },
  );
}

/** Work that is awaited later: what goes wrong is told there, and nowhere where an earlier step ends the whole. */
function begun<T>(work: Promise<T>): Promise<T> {
  work.catch(() => undefined);
  return work;
}
