import type { OperationId, ReferenceOperationId } from '@rubrica/contracts';
import { referenceRows } from '../reference/reference-rows.ts';
import type { Json, JsonObject } from './schemas.ts';

const identifier = { linkedPartnerRequestId: '0197a3c2-5b1e-7c44-9d0a-3f6e2b8c1d70' };

/** Bodies that can be sent as they are, but for the identifier. */
export const bodyExamples: { readonly [Id in OperationId]?: JsonObject } = {
  registerLinkedPartner: {
    identificationNumber: '1710034065',
    applicantName: 'MARÍA JOSÉ',
    applicantLastName: 'ÑÚÑEZ',
    applicantSecondLastName: 'PAZMIÑO',
    fingerCode: 'V4333V2222',
    email: 'maria@example.com',
    cellphoneNumber: '+593991234567',
    city: 'Quito',
    address: 'Av. Amazonas N21-147',
    documentType: 'CI',
    applicationType: 'NATURAL_PERSON',
    referenceTransaction: 'TX-2026-000001',
    period: 'ONE_YEAR',
    certificateType: 'TRADITIONAL_SIGNATURE',
    evidences: [{ evidenceType: 'IDENTITY_DOCUMENT', evidenceFile: 'JVBERi0xLjcKJSVFT0YK' }],
    password: 'A password of 8 to 64 characters',
    callbackUrl: 'https://partner.example.com/webhooks/rubrica',
  },
  retryLinkedPartner: { ...identifier, fingerCode: 'V4333V2222' },
  cancelLinkedPartner: { ...identifier, reason: 'The applicant withdrew' },
  resendValidationLink: identifier,
  revokeCertificate: { referenceTransaction: 'TX-2026-000001', reason: 'keyCompromise' },
  token: { grant_type: 'client_credentials', scope: 'collector:write manager:write status:read' },
};

const lists = Object.entries(referenceRows) as [
  ReferenceOperationId,
  (typeof referenceRows)[ReferenceOperationId],
][];

/** Answers where a look says more than the schema: the beginning of what is served. */
export const answerExamples: { readonly [Id in OperationId]?: Json } = Object.fromEntries(
  lists.map(([id, rowsOf]) => [id, rowsOf('en').slice(0, 3)]),
);
