/** Event from the gateway: only ids and states. */
export interface LiveEvent {
  readonly name: string;
  readonly data: Readonly<Record<string, string>>;
}

/**
 * Reads server-sent events (HTML Living Standard, 9.2.6) with one line of data each, until the stream ends.
 * @param onBlock receives each event; undefined for a heartbeat
 */
export async function readEventStream(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  onBlock: (event: LiveEvent | undefined) => void,
): Promise<void> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const blocks = (rest + value).split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) onBlock(readBlock(block));
  }
}

function readBlock(block: string): LiveEvent | undefined {
  const [, name] = /^event: (.+)$/m.exec(block) ?? [];
  const [, data] = /^data: (.+)$/m.exec(block) ?? [];
  return name === undefined || data === undefined ? undefined : { name, data: JSON.parse(data) };
}
