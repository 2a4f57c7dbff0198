export { type PlayedAdministrators, playAdministrators } from './approvals/play-administrators.ts';
export { implementPart } from './calls/implement.ts';
export { clientOf, servePart } from './calls/playing.ts';
export { identifyAs, type PlayedVouched, type ProvingKeys, proofFor } from './calls/playing-tokens.ts';
export { signMessage } from './message-statement.ts';
