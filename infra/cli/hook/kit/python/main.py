"""Serves the function. Set PORT and HOST for another place than 127.0.0.1:8080."""

import os
import signal
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from function import reply


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        headers = {name.lower(): value for name, value in self.headers.items()}
        status, answered, text = reply(headers, self.whole_body().decode())
        body = text.encode()
        self.send_response(status)
        for name, value in answered.items():
            self.send_header(name, value)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def whole_body(self):
        """Brokers may send a body in chunks, without its length."""
        if self.headers.get("transfer-encoding", "").lower() != "chunked":
            return self.rfile.read(int(self.headers.get("content-length", 0)))
        parts = []
        while size := int(self.rfile.readline().split(b";")[0], 16):
            parts.append(self.rfile.read(size))
            self.rfile.readline()
        while self.rfile.readline().strip():
            pass
        return b"".join(parts)

    def log_message(self, *_):
        """A line for each request says nothing that the answers do not."""


if __name__ == "__main__":
    address = (os.environ.get("HOST", "127.0.0.1"), int(os.environ.get("PORT", "8080")))
    server = ThreadingHTTPServer(address, Handler)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit())
    print("listening on http://%s:%s" % server.server_address, flush=True)
    server.serve_forever()
