//! The client's end of the pipes: messages in and out, and the end of both.
//!
//! A pipe that nobody reads any more ends the session, for whoever asked is gone. Before a session is opened, what is no request is passed
//! over: no word of a confused client may end the server before it has begun.

use rmcp::RoleServer;
use rmcp::model::{ClientRequest, GetMeta, JsonRpcMessage};
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use rmcp::transport::async_rw::AsyncRwTransport;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};
use tokio_util::sync::CancellationToken;

use super::lines::{Lines, Refused};

/// Standard input and output as the SDK's transport.
pub(super) struct Pipes<R: AsyncRead + Unpin, W: AsyncWrite> {
    inner: AsyncRwTransport<RoleServer, Lines<R>, W>,
    ended: CancellationToken,
    is_open: bool,
    /// Lines that could not be read, to be answered.
    refused: UnboundedReceiver<Refused>,
}

impl<R, W> Pipes<R, W>
where
    R: AsyncRead + Send + Unpin,
    W: AsyncWrite + Send + Unpin + 'static,
{
    /// `ended` is cancelled when nobody reads any more.
    pub(super) fn new(input: R, output: W, ended: CancellationToken) -> Self {
        let (sender, refused) = unbounded_channel();
        let inner = AsyncRwTransport::new_server(Lines::new(input, sender), output);
        Self { inner, ended, is_open: false, refused }
    }
}

impl<R, W> Transport<RoleServer> for Pipes<R, W>
where
    R: AsyncRead + Send + Unpin,
    W: AsyncWrite + Send + Unpin + 'static,
{
    type Error = std::io::Error;

    fn send(
        &mut self,
        message: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = Result<(), Self::Error>> + Send + 'static {
        let sent = self.inner.send(message);
        let ended = self.ended.clone();
        async move {
            let sent = sent.await;
            if sent.is_err() {
                ended.cancel();
            }
            sent
        }
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        loop {
            let message = tokio::select! {
                biased;
                Some((id, error)) = self.refused.recv() => {
                    self.send(JsonRpcMessage::error(error, id)).await.ok()?;
                    continue;
                }
                message = self.inner.receive() => message?,
            };
            match &message {
                JsonRpcMessage::Request(request) => self.is_open |= opens_a_session(&request.request),
                _ if !self.is_open => {
                    tracing::debug!("passed over before a session was opened: {message:?}");
                    continue;
                }
                _ => {}
            }
            return Some(message);
        }
    }

    async fn close(&mut self) -> Result<(), Self::Error> {
        self.inner.close().await
    }
}

/// Whether the SDK takes this request for the beginning of a session: the handshake, or a request that brings what the handshake would
/// have told, as from 2026-07-28 on.
fn opens_a_session(request: &ClientRequest) -> bool {
    match request {
        ClientRequest::InitializeRequest(_) => true,
        ClientRequest::DiscoverRequest(_) | ClientRequest::PingRequest(_) => false,
        request => request.get_meta().protocol_version().is_some(),
    }
}
