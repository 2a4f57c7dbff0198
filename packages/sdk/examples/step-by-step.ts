// The API flow: each answer names the next step.
import { createRubrica } from '@rubrica/sdk';
import { makeReference, person, picture } from './applicant.ts';
import { baseUrl, partner } from './settings.ts';

const rubrica = createRubrica({ baseUrl, ...partner });

// Shown to the applicant, who accepts them.
const terms = await rubrica.terms.active({ type: 'TRADITIONAL_SIGNATURE' });
const { recovered, ...registered } = await rubrica.signature.request({
  ...person,
  referenceTransaction: makeReference(),
  termsAndConditionsId: terms.id,
  period: 'ONE_YEAR',
});
const { signatureRequestId } = registered;
process.stdout.write(`registered${recovered ? ', though the answer was lost' : ''}\n`);

const identity = await rubrica.signature.validateIdentity({
  signatureRequestId,
  identificationFront: picture,
  identificationBack: picture,
  identificationSelfie: picture,
});
if (identity.result === 'REJECTED') throw new Error(identity.failureReasons.join(', '));

const { livenessSessionId, livenessUrl } = await rubrica.signature.requestLiveness({ signatureRequestId });
// For the applicant's phone; the sandbox has the outcome without it.
process.stdout.write(`${livenessUrl}\n`);
const liveness = await rubrica.signature.checkLiveness({ signatureRequestId, livenessSessionId });
if (liveness.nextStep !== 'ISSUANCE')
  throw new Error(`${liveness.status}: ${liveness.failureReasons.join(', ')}`);

let issued = await rubrica.signature.issue({ signatureRequestId });
if (issued.status === 'GENERATING') {
  await rubrica.signature.waitForStatus({ signatureRequestId });
  issued = await rubrica.signature.issue({ signatureRequestId });
}
process.stdout.write(`${issued.status}: ${issued.serialNumber}\n`);
