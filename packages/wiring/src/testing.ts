export { implementPart } from './calls/implement.ts';
