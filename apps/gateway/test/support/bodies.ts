/** The smallest files that count as what they are. */
export const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
export const pdf = Buffer.from('%PDF-1.7\n%%EOF\n');

/** A body that is accepted; overrides change or, with undefined, leave out single fields. */
export function linkedPartnerBody(overrides: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    identificationNumber: '1710034065',
    applicantName: 'MARÍA JOSÉ',
    applicantLastName: 'ÑÚÑEZ',
    applicantSecondLastName: 'PAZMIÑO',
    fingerCode: 'V4333V2222',
    email: 'maria@example.com',
    cellphoneNumber: '+593991234567',
    city: 'Quito',
    address: 'Av. Amazonas 123',
    documentType: 'CI',
    applicationType: 'NATURAL_PERSON',
    referenceTransaction: 'TX-1',
    period: 'FOUR_YEARS',
    certificateType: 'TRADITIONAL_SIGNATURE',
    callbackUrl: 'https://partner.example.com/hook',
    evidences: [{ evidenceFile: png.toString('base64'), evidenceType: 'SELFIE' }],
    password: 'Una clave con ~ ',
    ...overrides,
  };
}
