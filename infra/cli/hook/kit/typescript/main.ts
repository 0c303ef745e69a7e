import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { reply } from './function.ts';

const host = process.env.HOST ?? '127.0.0.1';
const port = Number(process.env.PORT ?? 8080);

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  try {
    const parts = await request.toArray();
    const { status, headers, body } = await reply(request.headers, Buffer.concat(parts).toString());
    response.writeHead(status, headers).end(body);
  } catch (error) {
    console.error(error);
    response.writeHead(500).end(String(error));
  }
}

const server = createServer((request, response) => void answer(request, response));
server.listen(port, host, () => {
  const at = server.address();
  console.log(`listening on http://${host}:${typeof at === 'object' ? at?.port : at}`);
});
process.on('SIGTERM', () => server.close(() => process.exit()));
