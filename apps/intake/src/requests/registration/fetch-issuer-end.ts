import { parseCertificate } from '@rubrica/pki';
import type { Peers } from '@rubrica/wiring';

/** Reads the published certificate of the authority that currently issues. */
export async function fetchIssuerEnd({ generation }: Pick<Peers<'intake'>, 'generation'>): Promise<Date> {
  const { issuing } = await generation['pki.index'](undefined);
  const { content } = await generation['pki.file']({ file: `${issuing}.cer` });
  const certificate = parseCertificate(Buffer.from(content, 'base64'));
  if (!certificate.ok) throw new Error(`${issuing}.cer: ${certificate.error.reason}`);
  return certificate.value.notAfter.date;
}
