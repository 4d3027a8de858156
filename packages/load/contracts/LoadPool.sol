// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";

/// Two tokens against each other along a constant product, with a fee of 0.3 % and averages over time: what a swap on
/// Ethereum's usual exchanges reads and writes.
contract LoadPool {
    using SafeERC20 for IERC20;

    error TooLittle(uint256 amountOut, uint256 least);
    error TooMuch(uint256 reserve);

    event Swap(address indexed sender, bool zeroForOne, uint256 amountIn, uint256 amountOut);
    event Sync(uint112 reserve0, uint112 reserve1);

    IERC20 private immutable token0;
    IERC20 private immutable token1;

    /// One slot: both reserves, and when they changed.
    uint112 private reserve0;
    uint112 private reserve1;
    uint32 private changedAt;

    /// Sums of price times seconds, with 112 binary places.
    uint256 public cumulative0;
    uint256 public cumulative1;

    constructor(IERC20 token0_, IERC20 token1_) {
        token0 = token0_;
        token1 = token1_;
    }

    function reserves() external view returns (uint112, uint112, uint32) {
        return (reserve0, reserve1, changedAt);
    }

    function add(uint256 amount0, uint256 amount1) external {
        token0.safeTransferFrom(msg.sender, address(this), amount0);
        token1.safeTransferFrom(msg.sender, address(this), amount1);
        sync(reserve0 + amount0, reserve1 + amount1);
    }

    function swap(bool zeroForOne, uint256 amountIn, uint256 least) external returns (uint256 amountOut) {
        (uint256 reserveIn, uint256 reserveOut) =
            zeroForOne ? (uint256(reserve0), uint256(reserve1)) : (uint256(reserve1), uint256(reserve0));
        uint256 withFee = amountIn * 997;
        amountOut = (withFee * reserveOut) / (reserveIn * 1000 + withFee);
        if (amountOut < least) revert TooLittle(amountOut, least);
        (IERC20 tokenIn, IERC20 tokenOut) = zeroForOne ? (token0, token1) : (token1, token0);
        tokenIn.safeTransferFrom(msg.sender, address(this), amountIn);
        tokenOut.safeTransfer(msg.sender, amountOut);
        if (zeroForOne) sync(reserveIn + amountIn, reserveOut - amountOut);
        else sync(reserveOut - amountOut, reserveIn + amountIn);
        emit Swap(msg.sender, zeroForOne, amountIn, amountOut);
    }

    function sync(uint256 new0, uint256 new1) private {
        if (new0 > type(uint112).max) revert TooMuch(new0);
        if (new1 > type(uint112).max) revert TooMuch(new1);
        uint32 time = uint32(block.timestamp);
        unchecked {
            uint256 passed = uint32(time - changedAt);
            if (passed > 0 && reserve0 > 0 && reserve1 > 0) {
                cumulative0 += ((uint256(reserve1) << 112) / reserve0) * passed;
                cumulative1 += ((uint256(reserve0) << 112) / reserve1) * passed;
            }
        }
        (reserve0, reserve1, changedAt) = (uint112(new0), uint112(new1), time);
        emit Sync(uint112(new0), uint112(new1));
    }
}
