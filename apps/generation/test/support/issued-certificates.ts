import { X509Certificate } from 'node:crypto';
import type { OperatorOutput } from '@rubrica/contracts/operators/procedures';
import type { Caller } from '@rubrica/contracts/shared/caller';
import type { OperatorRole } from '@rubrica/contracts/shared/enumerations';
import { toAppError } from '@rubrica/process/errors';
import { uuidv7 } from '@rubrica/process/time';
import type { Scene } from './scene.ts';

export const operator = (role: OperatorRole): Caller => ({
  kind: 'operator',
  operatorId: uuidv7(),
  email: `${role}@rubrica.test`,
  role,
});

export interface TestCertificate {
  readonly id: string;
  readonly requestId: string;
  readonly serialNumber: string;
}

export const admin = ({ gateway }: Pick<Scene, 'gateway'>) =>
  gateway.operatorClient(operator('admin')).certificates;

/** Two administrators release a certificate from its hold. */
export async function released({ gateway }: Pick<Scene, 'gateway'>, input: { id: string; reason?: string }) {
  const { approvalId = '' } = await admin({ gateway }).release.mutate(input);
  const { approvals } = gateway.operatorClient(operator('admin'));
  const { result } = await approvals.approve.mutate({ id: approvalId });
  return result as OperatorOutput<'certificates.release'>;
}

export async function issued(scene: Pick<Scene, 'order'>): Promise<TestCertificate> {
  const event = await scene.order();
  if (event.subject !== 'issued') throw new Error(event.code);
  const { requestId, serialNumber, certificateId: id } = event;
  return { requestId, serialNumber, id };
}

export const pemOf = async (scene: Pick<Scene, 'gateway'>, { id }: TestCertificate): Promise<string> =>
  (await admin(scene).get.query({ id })).pem ?? '';

/** A published file as anybody gets it. */
export async function published({ gateway }: Pick<Scene, 'gateway'>, file: string): Promise<Buffer> {
  const { pki } = gateway.serviceClient({ kind: 'public' });
  const { content, octets } = await pki.file.query({ file });
  const whole = Buffer.from(content, 'base64');
  if (whole.length !== octets) throw new Error(`${file} has several pieces`);
  return whole;
}

export const publishedPem = async (scene: Pick<Scene, 'gateway'>, file: string): Promise<string> =>
  new X509Certificate(await published(scene, file)).toString();

export const codeOf = (call: Promise<unknown>) =>
  call.then(
    () => 'OK',
    (error: unknown) => toAppError(error).code,
  );
