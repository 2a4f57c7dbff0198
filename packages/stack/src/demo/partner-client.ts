import type { PartnerInfo } from '../stack/stack-info.ts';

export interface RegisteredRequest {
  readonly linkedPartnerRequestId: string;
  readonly status: string;
  readonly createdAt: string;
}

export interface RequestStatus {
  readonly status: string;
  readonly validationStatus: string;
  readonly observation: { code: string; message: string } | null;
  readonly serialNumber: string | null;
  readonly notBefore: string | null;
  readonly notAfter: string | null;
}

export interface PartnerClient {
  signIn(): Promise<{ expiresInSeconds: number }>;
  register(body: unknown): Promise<RegisteredRequest>;
  status(referenceTransaction: string): Promise<RequestStatus>;
}

/** The few REST calls a partner's back end makes. */
export function createPartnerClient(baseUrl: string, partner: PartnerInfo): PartnerClient {
  let token = '';
  const authorised = () => ({ authorization: `Bearer ${token}` });
  return {
    async signIn() {
      const basic = Buffer.from(`${partner.clientId}:${partner.clientSecret}`).toString('base64');
      const answer = await call(`${baseUrl}/oauth/token`, {
        method: 'POST',
        headers: { authorization: `Basic ${basic}`, 'content-type': 'application/x-www-form-urlencoded' },
        body: 'grant_type=client_credentials',
      });
      token = String(answer.access_token);
      return { expiresInSeconds: Number(answer.expires_in) };
    },
    async register(body) {
      const answer = await call(`${baseUrl}/collector/linked-partner/request`, {
        method: 'POST',
        headers: { ...authorised(), 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      return answer as unknown as RegisteredRequest;
    },
    async status(reference) {
      const query = new URLSearchParams({ referenceTransaction: reference });
      const url = `${baseUrl}/middleware/signature-request/status?${query}`;
      return (await call(url, { headers: authorised() })) as unknown as RequestStatus;
    },
  };
}

async function call(url: string, init: RequestInit): Promise<Record<string, unknown>> {
  const response = await fetch(url, { ...init, signal: AbortSignal.timeout(30_000) });
  const text = await response.text();
  if (response.ok) return JSON.parse(text) as Record<string, unknown>;
  throw new Error(
    `${init.method ?? 'GET'} ${new URL(url).pathname} was answered ${response.status}:\n${text}`,
  );
}
