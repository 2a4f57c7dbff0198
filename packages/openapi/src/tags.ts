/** Descriptions of tags, in the order of the document: families of requests first. Other tags come last. */
export const tagTexts: Readonly<Record<string, string>> = {
  'Linked partner':
    'The partner has checked the applicant and sends the evidence. The certificate comes by webhook.',
  Regular: 'The partner sends documents and pictures; the service, or a person, checks them.',
  Transactional: 'A certificate of one week for one transaction, retrieved by the partner.',
  Simplified: 'The fewest data: names come from the registry, and the applicant claims.',
  // Before the family whose first step it is: a collection is run from top to bottom.
  'Terms and conditions': 'What applicants accept, and where the API flow begins.',
  'API flow': 'Step by step, with a proof of life: each answer names the step that comes next.',
  Certificates: 'What is done with a certificate once it is issued.',
  Lists:
    'What a program of the partner asks to keep its own records in step: requests, certificates, webhook events.',
  Usage: 'What a partner has registered in a month, and how much of its quota that is.',
  Sandbox: 'What a test system has and a real one has not.',
  'Reference lists': 'Values for forms, in Spanish and English.',
  Authentication: 'Access tokens for all of the above.',
  'Public key infrastructure':
    'Certificates of the authority, CRLs and OCSP, at the addresses that certificates name.',
  Webhooks: 'What the service calls at the partner, signed as Standard Webhooks are.',
};

const order = Object.keys(tagTexts);
function findPosition(tag: string): number {
  return order.includes(tag) ? order.indexOf(tag) : order.length;
}

export function sortTags(tags: readonly string[]): string[] {
  return tags.toSorted((a, b) => findPosition(a) - findPosition(b));
}
