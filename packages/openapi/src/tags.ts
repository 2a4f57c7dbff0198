/** Descriptions of tags, in the order of the document: families of requests first. Other tags come last. */
export const tagTexts: Readonly<Record<string, string>> = {
  'Linked partner':
    'The partner has checked the applicant and sends the evidence. The certificate arrives by webhook.',
  Regular: 'The partner sends documents and pictures; the service, or a person, checks them.',
  Transactional: 'A certificate of one week for one transaction, retrieved by the partner.',
  Simplified: 'Least data: names come from the registry, and the applicant claims the certificate.',
  // Before the family whose first step it is: a collection runs from top to bottom.
  'Terms and conditions': 'Terms that applicants accept; the API flow starts here.',
  'API flow': 'Registration step by step, with a proof of life: each answer names the next step.',
  Certificates: 'Operations on an issued certificate.',
  Lists: 'Lists that keep a partner’s own records up to date: requests, certificates, webhook events.',
  Usage: 'Registrations of a partner in a month, and the used part of its quota.',
  Sandbox: 'Operations of test systems only.',
  'Reference lists': 'Values for forms, in Spanish and English.',
  Authentication: 'Access tokens for all of the above.',
  'Public key infrastructure':
    'Certificates of the authority, CRLs and OCSP, at the addresses in certificates.',
  Webhooks: 'Calls from the service to the partner, signed according to Standard Webhooks.',
};

const order = Object.keys(tagTexts);
function findPosition(tag: string): number {
  return order.includes(tag) ? order.indexOf(tag) : order.length;
}

export function sortTags(tags: readonly string[]): string[] {
  return tags.toSorted((a, b) => findPosition(a) - findPosition(b));
}
