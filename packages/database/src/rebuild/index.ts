export { type RebuiltStream, rebuildStream, type StreamSeen } from './rebuild-stream.ts';
