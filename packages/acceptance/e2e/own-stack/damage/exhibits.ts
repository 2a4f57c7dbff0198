import { X509Certificate } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { operations } from '@rubrica/contracts/rest/operations';
import {
  makeIdentityValidation,
  makeRegularRequest,
  makeSignatureRequest,
  makeSimplifiedRequest,
  makeTransactionalRequest,
} from '@rubrica/testkit';
import { operatorActor } from '../../support/operator-actor.ts';
import { until } from '../../support/poll.ts';
import type { Scene } from '../../support/scene.ts';
import { runProgram } from '../../support/shell.ts';

/** Existing objects of the stack, for calls to name. */
export interface Exhibits {
  readonly partnerToken: string;
  readonly operatorToken: string;
  readonly client: { readonly id: string; readonly secret: string };
  readonly otherPartnerId: string;
  readonly identificationNumber: string;
  readonly requests: readonly { readonly id: string; readonly reference: string }[];
  readonly claimTokens: readonly string[];
  readonly livenessSession: string;
  readonly evidenceId: string;
  readonly evidencePaths: readonly string[];
  readonly serialNumber: string;
  readonly termsId: string;
  readonly pki: { readonly root: string; readonly issuing: string; readonly crl: string };
  readonly ocspRequest: Buffer;
}

/** Cédula that needs manual review, in every family. */
const reviewed = '2450001504';

/** Moves requests of every family into different states. */
export async function prepareExhibits(scene: Scene): Promise<Exhibits> {
  const info = scene.stack.info();
  const { sandbox, otp } = scene.partners;
  const { token } = sandbox;
  const post = async (path: string, body: object) =>
    (await scene.call({ path, body, token })).body as Record<string, string>;
  const operator = await operatorActor(info, 'admin');

  const generated = await sandbox.accepted();
  const waiting = await sandbox.accepted({ identificationNumber: reviewed });
  const claims = await Promise.all([1, 2, 3].map(() => toBeClaimed(scene)));
  const regular = await post(operations.registerRegular.path, makeRegularRequest());
  const simplified = await post(operations.registerSimplified.path, makeSimplifiedRequest());
  const transactional = await post(operations.registerTransactional.path, makeTransactionalRequest());
  const terms = await scene.call({
    path: operations.activeTerms.path,
    query: { type: 'TRADITIONAL_SIGNATURE' },
  });
  const termsId = (terms.body as { id: string }).id;
  const signature = await post(operations.requestSignature.path, makeSignatureRequest(termsId));
  const signatureRequestId = signature.signatureRequestId ?? '';
  await post(operations.validateIdentity.path, makeIdentityValidation(signatureRequestId));
  const liveness = await post(operations.requestLiveness.path, { signatureRequestId });

  const { serialNumber } = await sandbox.reaches(generated.reference, 'GENERATED');
  const evidence = await readEvidence(waiting.requestId, operator);
  const { items } = await operator.call('partners.list', {});
  const other = items.find(({ clientId }) => clientId === info.partners.other.clientId);
  const named = (id = '', reference = '') => ({ id, reference });
  return {
    partnerToken: token,
    operatorToken: operator.token,
    client: { id: info.partners.sandbox.clientId, secret: info.partners.sandbox.clientSecret },
    otherPartnerId: other?.id ?? '',
    identificationNumber: reviewed,
    requests: [
      named(generated.requestId, generated.reference),
      named(waiting.requestId, waiting.reference),
      named(regular.requestId, regular.referenceTransaction),
      named(simplified.simplifiedRequestId, simplified.referenceTransaction),
      named(transactional.transactionalRequestId, transactional.referenceTransaction),
      named(signatureRequestId, signature.referenceTransaction),
    ],
    claimTokens: claims,
    livenessSession: liveness.livenessSessionId ?? '',
    ...evidence,
    serialNumber: serialNumber ?? '',
    termsId,
    pki: info.pki,
    ocspRequest: await ocspRequest(scene, serialNumber ?? ''),
  };

  async function toBeClaimed({ stack }: Scene): Promise<string> {
    const email = `rosa.${crypto.randomUUID().slice(0, 8)}@correo.example`;
    await otp.accepted({ email, password: undefined });
    return until('the claim mail', async () => {
      const response = await fetch(`${stack.info().mailUrl}/messages?${new URLSearchParams({ to: email })}`);
      const [mail] = (await response.json()) as { text: string }[];
      return /\/claim\/([A-Za-z0-9_-]+)/.exec(mail?.text ?? '')?.[1];
    });
  }
}

async function readEvidence(requestId: string, operator: Awaited<ReturnType<typeof operatorActor>>) {
  const evidenceId = await until('the review', async () => {
    const { evidence } = await operator.call('reviews.get', { requestId }).catch(() => ({ evidence: null }));
    return evidence?.[0]?.evidenceId;
  });
  const { url } = await operator.call('reviews.evidence', { requestId, evidenceId });
  return { evidenceId, evidencePaths: [new URL(url).pathname] };
}

async function ocspRequest({ stack, folder }: Scene, serialNumber: string): Promise<Buffer> {
  const issuer = await fetch(stack.info().pki.issuing);
  const pem = new X509Certificate(Buffer.from(await issuer.arrayBuffer())).toString();
  await writeFile(join(folder, 'issuer.pem'), pem);
  const asked = ['ocsp', '-issuer', 'issuer.pem', '-serial', `0x${serialNumber}`, '-reqout', 'request.der'];
  await runProgram('openssl', asked, { cwd: folder });
  return readFile(join(folder, 'request.der'));
}
