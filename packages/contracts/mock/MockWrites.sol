// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.20;

import {IPrimeOrders} from "../IPrimeOrders.sol";
import {ActionKind, PrimeTiming} from "../PrimeConstants.sol";

/// @title The half of {PrimeOrdersMock} that takes writes: the checks, errors, logs and tickets of the contract at 0x…0100, and a queue.
abstract contract MockWrites is IPrimeOrders {
    struct Write {
        address account;
        uint8 kind;
        uint64 ticket;
        uint64 blockNumber;
        bytes data;
    }

    address private constant SELF = address(0x100);
    uint256 private constant WRITE_GAS = 20_000;
    /// @dev Of the contracts of one block, where genesis says nothing else.
    uint256 private constant WRITES_MAX = 2000;
    uint64 private constant SAFE_INTEGER_MAX = 2 ** 53 - 1;

    uint64 internal _ticket;
    Write[] internal _queue;
    /// @dev The first write that was not carried out.
    uint256 internal _head;
    uint64 private _countedBlock;
    uint64 private _writes;

    function carryOut() public virtual;

    function submitOrder(uint32 marketId, bool isBuy, uint256 price, uint256 size, uint8 tif, uint8 flags, uint128 clientId)
        external
        returns (uint64)
    {
        if (marketId == 0) revert InvalidMarket(marketId);
        if (price == 0 || price > type(uint128).max) revert InvalidPrice(price);
        if (size == 0 || size > type(uint128).max) revert InvalidSize(size);
        if (tif > 2) revert InvalidTimeInForce(tif);
        if (flags > 15) revert InvalidFlags(flags);
        return _write(ActionKind.ORDER, abi.encode(marketId, isBuy, price, size, tif, flags, clientId));
    }

    function cancelOrder(uint64 orderId) external returns (uint64) {
        if (orderId == 0 || orderId > SAFE_INTEGER_MAX) revert InvalidOrderId(orderId);
        return _write(ActionKind.CANCEL, abi.encode(orderId));
    }

    function cancelByClientId(uint128 clientId) external returns (uint64) {
        if (clientId == 0) revert InvalidClientId(clientId);
        return _write(ActionKind.CANCEL_BY_CLIENT_ID, abi.encode(clientId));
    }

    function cancelAll(uint32 marketId) external returns (uint64) {
        return _write(ActionKind.CANCEL_ALL, abi.encode(marketId));
    }

    function deposit() external payable returns (uint64) {
        return _deposit(msg.sender);
    }

    function depositFor(address owner) external payable returns (uint64) {
        if (owner == address(0) || owner == SELF) revert InvalidAccount(owner);
        return _deposit(owner);
    }

    receive() external payable {
        _deposit(msg.sender);
    }

    function withdraw(uint256 amount, address to) external returns (uint64) {
        if (amount == 0) revert InvalidAmount(amount);
        if (to == address(0) || to == SELF) revert InvalidAccount(to);
        return _write(ActionKind.WITHDRAW, abi.encode(amount, to));
    }

    function liquidate(address owner) external returns (uint64) {
        return _write(ActionKind.LIQUIDATE, abi.encode(owner));
    }

    function approveAgent(address agent, uint64 expiry, uint32 permissions) external returns (uint64) {
        if (agent == address(0)) revert InvalidAccount(agent);
        if (expiry > SAFE_INTEGER_MAX) revert InvalidExpiry(expiry);
        return _write(ActionKind.APPROVE_AGENT, abi.encode(agent, expiry, permissions));
    }

    function revokeAgent(address agent) external returns (uint64) {
        return _write(ActionKind.REVOKE_AGENT, abi.encode(agent));
    }

    fallback() external payable {
        revert UnknownFunction(msg.sig);
    }

    function _deposit(address owner) private returns (uint64) {
        if (msg.value == 0) revert InvalidAmount(msg.value);
        return _write(ActionKind.DEPOSIT, abi.encode(owner, msg.value));
    }

    function _write(uint8 kind, bytes memory data) private returns (uint64 ticket) {
        if (address(this) != SELF) revert DelegateCallNotAllowed();
        uint256 stopAt = gasleft() - WRITE_GAS;
        while (gasleft() > stopAt) {}
        if (_countedBlock != block.number) {
            _countedBlock = uint64(block.number);
            _writes = 0;
        }
        if (_writes >= WRITES_MAX) revert TooManyWrites(WRITES_MAX);
        _writes++;
        carryOut();
        ticket = ++_ticket;
        _queue.push(Write(msg.sender, kind, ticket, uint64(block.number), data));
        emit Action(msg.sender, kind, ticket, data);
    }

    /// @dev Whether a read in this block has to show a write that was not carried out.
    function _isDue() internal view returns (bool) {
        return _head < _queue.length && _queue[_head].blockNumber + PrimeTiming.VISIBLE_AFTER <= block.number;
    }

    /// @dev Takes the writes of one block off the queue. @return first and end of their places
    function _takeBlock() internal returns (uint256 first, uint256 end) {
        first = _head;
        end = first;
        uint64 made = _queue[first].blockNumber;
        while (end < _queue.length && _queue[end].blockNumber == made) end++;
        _head = end;
    }

    /// @dev A balance, as on a chain: no code of the receiver runs.
    function _pay(address to, uint256 amount) internal {
        bool isPaid;
        assembly ("memory-safe") {
            // PUSH20 to, SELFDESTRUCT: a contract that is gone within its own creation.
            mstore(0, or(or(shl(248, 0x73), shl(88, to)), shl(80, 0xff)))
            isPaid := gt(create(amount, 0, 22), 0)
        }
        require(isPaid, "PrimeOrdersMock: the payment failed");
    }
}
