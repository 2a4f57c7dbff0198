import type { CertificateStatus, generationContract } from '@rubrica/contracts';
import type { Logger } from '@rubrica/service';

/** What intake asks of generation. */
export interface GenerationClient {
  certificateByRequest(requestId: string): Promise<generationContract.CertificateState | null>;
}

interface Known {
  readonly id: string;
  readonly serialNumber: string | null;
  readonly notAfter: Date | null;
}

/** Generation's word on the certificate; while it is down, what intake last knew. */
export const certificateStatusOf = async (
  request: Known,
  deps: { generation: GenerationClient; logger: Logger; now: Date },
): Promise<CertificateStatus | null> => {
  if (request.serialNumber === null) return null;
  try {
    const state = await deps.generation.certificateByRequest(request.id);
    if (state) return state.status;
  } catch (err) {
    deps.logger.warn({ err }, 'generation does not answer; the last known certificate state is shown');
  }
  return request.notAfter !== null && request.notAfter < deps.now ? 'EXPIRED' : 'VALID';
};
