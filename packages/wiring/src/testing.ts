export { type PlayedAdministrators, playAdministrators } from './approvals/play-administrators.ts';
export { implementPart } from './calls/implement.ts';
export { callsOf, servePart } from './calls/playing.ts';
