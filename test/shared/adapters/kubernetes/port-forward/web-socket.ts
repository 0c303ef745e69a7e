import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';

/** One end of a WebSocket, as a server has it: binary messages only, none of them in several frames. */
export interface WebSocketEnd {
  send(message: Buffer): void;
  close(): void;
}

interface Listener {
  message(message: Buffer): void;
  closed(): void;
}

const magic = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';

/** Takes an upgrade, with a protocol that the client has offered. */
export function acceptWebSocket(
  request: IncomingMessage,
  socket: Duplex,
  protocol: string,
  listener: Listener,
): WebSocketEnd {
  const key = request.headers['sec-websocket-key'] ?? '';
  const accept = createHash('sha1').update(`${key}${magic}`).digest('base64');
  const head = [
    'HTTP/1.1 101 Switching Protocols',
    'Upgrade: websocket',
    'Connection: Upgrade',
    `Sec-WebSocket-Accept: ${accept}`,
    `Sec-WebSocket-Protocol: ${protocol}`,
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n`);
  let received = Buffer.alloc(0);
  socket.on('data', (chunk: Buffer) => {
    received = Buffer.concat([received, chunk]);
    for (let frame = frameIn(received); frame !== undefined; frame = frameIn(received)) {
      received = received.subarray(frame.length);
      if (frame.operation === 2) listener.message(frame.payload);
      if (frame.operation === 8) socket.end();
    }
  });
  socket.on('close', () => listener.closed()).on('error', () => socket.destroy());
  return {
    send: (message) => void socket.write(framed(2, message)),
    close: () => void socket.end(framed(8)),
  };
}

interface Frame {
  operation: number;
  payload: Buffer;
  /** Of all of it. */
  length: number;
}

/** The first frame; undefined as long as it is not all there. Clients mask theirs. */
function frameIn(bytes: Buffer): Frame | undefined {
  if (bytes.length < 2) return undefined;
  const short = bytes.readUInt8(1) & 0x7f;
  const lengthBytes = short === 126 ? 2 : short === 127 ? 8 : 0;
  const maskAt = 2 + lengthBytes;
  if (bytes.length < maskAt + 4) return undefined;
  const size =
    lengthBytes === 0 ? short : lengthBytes === 2 ? bytes.readUInt16BE(2) : Number(bytes.readBigUInt64BE(2));
  const length = maskAt + 4 + size;
  if (bytes.length < length) return undefined;
  const mask = bytes.subarray(maskAt, maskAt + 4);
  const payload = Buffer.from(
    bytes.subarray(maskAt + 4, length).map((byte, at) => byte ^ (mask[at % 4] ?? 0)),
  );
  return { operation: bytes.readUInt8(0) & 0x0f, payload, length };
}

function framed(operation: number, payload: Buffer = Buffer.alloc(0)): Buffer {
  const head = Buffer.alloc(payload.length < 126 ? 2 : payload.length < 65_536 ? 4 : 10);
  head.writeUInt8(0x80 | operation, 0);
  if (head.length === 2) head.writeUInt8(payload.length, 1);
  if (head.length === 4) head.writeUInt16BE(payload.length, head.writeUInt8(126, 1));
  if (head.length === 10) head.writeBigUInt64BE(BigInt(payload.length), head.writeUInt8(127, 1));
  return Buffer.concat([head, payload]);
}
