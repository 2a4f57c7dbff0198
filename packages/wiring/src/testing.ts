export { implementPart } from './calls/implement.ts';
export { callsOf, servePart } from './calls/playing.ts';
