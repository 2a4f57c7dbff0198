export { createBusClient } from './call/bus-client.ts';
export { type BusFailure, busFailure, isSafeToRepeat } from './call/bus-error.ts';
export { busLink } from './call/bus-link.ts';
export type { BusClientOptions, BusOperation } from './call/start-call.ts';
export { type Bus, type BusOptions, connectBus } from './connection/connect-bus.ts';
export { refusedSubjects, type TriedSubjects } from './connection/refused-subjects.ts';
export type { BusStatus } from './connection/status.ts';
export type { Published } from './jetstream/acked-publish.ts';
export { askApi } from './jetstream/api.ts';
export { type ConsumeOptions, type Consuming, consume, type Outcome } from './jetstream/consume.ts';
export type { Delivery, Incoming } from './jetstream/incoming.ts';
export { JetStreamError, type JetStreamErrorCode } from './jetstream/jetstream-error.ts';
export { createPublisher, type OutgoingMessage, type Publisher } from './jetstream/publisher.ts';
export { removeAcknowledged } from './jetstream/remove-acknowledged.ts';
export { type StreamState, streamState } from './jetstream/stream-state.ts';
export {
  type ConsumerDefinition,
  type Ensured,
  ensureConsumers,
  ensureStreams,
  type StreamDefinition,
} from './jetstream/streams.ts';
export { tryPublish } from './jetstream/try-publish.ts';
export { type Chunker, createChunker } from './object-store/chunks.ts';
export type { StoredObject } from './object-store/get.ts';
export type { ObjectEntry } from './object-store/layout.ts';
export {
  type BucketDefinition,
  ensureBucket,
  type ObjectStore,
  objectStore,
} from './object-store/object-store.ts';
export type { ListedObject, ObjectSweepResult as Swept, SweepOptions } from './object-store/sweep.ts';
export type { Upload, UploadOptions } from './object-store/upload.ts';
export type { Bulkhead, CallInfo, ServeError, ServeOptions } from './serve/serve-options.ts';
export { type ServedRouter, serveRouter } from './serve/serve-router.ts';
export type { FailureReason } from './wire/failures.ts';
export type { Headers } from './wire/headers.ts';
export type { BusSeals, OpenedCall, SealedCall } from './wire/seals.ts';
