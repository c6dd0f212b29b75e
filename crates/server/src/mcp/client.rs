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

/// Cancels the token once nobody can read standard output any more, also while nothing is written to it. A thread waits for it: the
/// runtime's own readiness tells of a pipe's writer only that it may write.
#[cfg(unix)]
pub(super) fn end_when_unread(ended: CancellationToken) {
    use rustix::event::{PollFd, PollFlags, poll};
    use rustix::io::Errno;
    let wait = move || {
        let output = std::io::stdout();
        loop {
            // What is always told needs no asking for: an error, or that the other end is gone.
            let mut waited = [PollFd::new(&output, PollFlags::empty())];
            match poll(&mut waited, None) {
                Err(Errno::INTR) => {}
                Ok(_) if waited[0].revents().intersects(PollFlags::ERR | PollFlags::HUP) => {
                    break ended.cancel();
                }
                Ok(_) | Err(_) => break,
            }
        }
    };
    if let Err(error) = std::thread::Builder::new().name("unread".to_owned()).spawn(wait) {
        tracing::info!("nobody watches standard output: {error}");
    }
}

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
