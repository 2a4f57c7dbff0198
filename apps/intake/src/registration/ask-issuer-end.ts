import { type Bus, createBusClient } from '@rubrica/bus';
import type { GenerationServiceRouter } from '@rubrica/generation/routers';
import { parseCertificate } from '@rubrica/pki';
import { type Keyring, outgoingHeaders } from '@rubrica/process';

const timeoutMs = 5_000;

/** Reads the published certificate of the authority that issues now. */
export function createAskIssuerEnd(bus: Bus, keyring: Pick<Keyring, 'signIdentity'>) {
  const { pki } = createBusClient<GenerationServiceRouter>(bus, {
    subjectPrefix: 'rpc.v1.generation',
    timeoutMs,
    headers: () => outgoingHeaders(keyring, { kind: 'service', name: 'intake' }),
  });
  return async (): Promise<Date> => {
    const { issuing } = await pki.index.query();
    const { content } = await pki.file.query({ file: `${issuing}.cer` });
    const certificate = parseCertificate(Buffer.from(content, 'base64'));
    if (!certificate.ok) throw new Error(`${issuing}.cer: ${certificate.error.reason}`);
    return certificate.value.notAfter.date;
  };
}
