export { type Consumption, consumeMessages, type Handled } from './consume-messages.ts';
export { openBus } from './open-bus.ts';
export { type ServedRouters, serveRouters } from './serve-routers.ts';
